import { appointmentContracts } from './appointments/contract.ts';
import { callContracts } from './calls/contract.ts';
import { callIngestContracts } from './calls/ingest.contract.ts';
import type { Contracts } from './contract/define-contracts.ts';
import { healthContracts } from './health/contract.ts';
import { npsResponseContracts } from './nps-responses/contract.ts';
import { professionalContracts } from './professionals/contract.ts';
import { recordingContracts } from './recordings/contract.ts';
import { serviceContracts } from './services/contract.ts';
import { specificationContracts } from './specification/contract.ts';
import { tenantContracts } from './tenant/contract.ts';
import { triageFormContracts } from './triage-forms/contract.ts';

/** The contract table: every route of the API, by operation id. */
export const contracts = {
  ...healthContracts,
  ...tenantContracts,
  ...appointmentContracts,
  ...professionalContracts,
  ...serviceContracts,
  ...callContracts,
  ...recordingContracts,
  ...callIngestContracts,
  ...npsResponseContracts,
  ...triageFormContracts,
  ...specificationContracts,
} satisfies Contracts;
