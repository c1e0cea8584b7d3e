/** The workflows that workers run; the bundle is built from this file. */
export { appointmentNoShow } from './appointment-no-show.workflow.ts';
export { endpointHealth } from './endpoint-health.workflow.ts';
export { recallScan } from './recall-scan.workflow.ts';
export { reconcile } from './reconcile.workflow.ts';
export { retention } from './retention.workflow.ts';
export { webhookBurst } from './webhook-burst.workflow.ts';
export { webhookDelivery } from './webhook-delivery.workflow.ts';
export { webhookReplay } from './webhook-replay.workflow.ts';
