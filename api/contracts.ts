import { apiKeyContracts } from './api-keys/contract.ts';
import { appointmentContracts } from './appointments/contract.ts';
import { appointmentImportContracts } from './appointments/import.contract.ts';
import { appointmentListContracts } from './appointments/lists.contract.ts';
import { timelineContracts } from './appointments/timeline.contract.ts';
import { availabilityContracts } from './availability/contract.ts';
import { busyBlockContracts } from './busy-blocks/contract.ts';
import { callContracts } from './calls/contract.ts';
import { callIngestContracts } from './calls/ingest.contract.ts';
import type { Contracts } from './contract/define-contracts.ts';
import { healthContracts } from './health/contract.ts';
import { mcpContracts } from './mcp/contract.ts';
import { notificationContracts } from './notifications/contract.ts';
import { patientAnswerContracts } from './patient-answers/contract.ts';
import { portalLinkContracts } from './portal-links/contract.ts';
import { professionalContracts } from './professionals/contract.ts';
import { recordingContracts } from './recordings/contract.ts';
import { requestContracts } from './request-log/contract.ts';
import { serviceContracts } from './services/contract.ts';
import { slotHoldContracts } from './slot-holds/contract.ts';
import { specificationContracts } from './specification/contract.ts';
import { tenantContracts } from './tenant/contract.ts';
import { webhookDeliveryContracts } from './webhook-deliveries/contract.ts';
import { webhookEndpointActionContracts } from './webhook-endpoints/actions.contract.ts';
import { webhookEndpointContracts } from './webhook-endpoints/contract.ts';
import { webhookEventContracts } from './webhook-events/contract.ts';

/** The contract table: every route of the API, by operation id. */
export const contracts = {
  ...healthContracts,
  ...tenantContracts,
  ...appointmentListContracts,
  ...appointmentContracts,
  ...appointmentImportContracts,
  ...timelineContracts,
  ...availabilityContracts,
  ...slotHoldContracts,
  ...professionalContracts,
  ...serviceContracts,
  ...busyBlockContracts,
  ...callContracts,
  ...recordingContracts,
  ...callIngestContracts,
  ...patientAnswerContracts,
  ...webhookEndpointContracts,
  ...webhookEndpointActionContracts,
  ...portalLinkContracts,
  ...webhookEventContracts,
  ...webhookDeliveryContracts,
  ...notificationContracts,
  ...apiKeyContracts,
  ...requestContracts,
  ...mcpContracts,
  ...specificationContracts,
} satisfies Contracts;
