import { expect, test } from '@jest/globals';
import {
  burstStart,
  deliveryStart,
  endpointHealthSignal,
  noShowStart,
  replayStart,
} from '../../worker/temporal/workflow-starts.ts';

const [clinicId, endpointId, dashboardUrl] = ['clinic-1', 'endpoint-1', 'https://dashboard.test'];
const delivery = {
  deliveryId: 'delivery-1',
  tenantId: clinicId,
  endpointId,
  eventId: 'event-1',
  eventType: 'appointment.created',
  appointmentId: null,
  workflowId: 'workflow-1',
};

test.each([
  [noShowStart({ kind: 'startNoShow', appointmentId: 'a-1', clinicId, dueAt: '2026-03-02T10:00:00Z' }), null],
  [deliveryStart(delivery, {}, dashboardUrl), 'deliveries/delivery-1'],
  [burstStart('burst-1', { clinicId, deliveries: [] }), null],
  [
    endpointHealthSignal(
      { kind: 'endpointSwitchedOff', endpointId, clinicId, at: '2026-03-02T10:00:00Z' },
      dashboardUrl,
    ),
    'endpoints/endpoint-1',
  ],
  [
    replayStart({ kind: 'startReplay', replayId: 'replay-1', clinicId, endpointId }, dashboardUrl),
    'endpoints/endpoint-1',
  ],
])('each workflow names its clinic, and its page where there is one', ({ staticDetails = '' }, page) => {
  expect(staticDetails).toContain('- Clinic `clinic-1`');
  if (page) expect(staticDetails).toContain(`- Page \`${dashboardUrl}/integrations/${page}\``);
});
