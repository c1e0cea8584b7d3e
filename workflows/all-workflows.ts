/** What the workers run; the bundle is made from this file. */
export { appointmentNoShow } from './appointment-no-show.workflow.ts';
export { webhookDelivery } from './webhook-delivery.workflow.ts';
