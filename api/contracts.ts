import { appointmentContracts } from './appointments/contract.ts';
import type { Contracts } from './contract/define-contracts.ts';
import { healthContracts } from './health/contract.ts';
import { professionalContracts } from './professionals/contract.ts';
import { serviceContracts } from './services/contract.ts';
import { specificationContracts } from './specification/contract.ts';
import { tenantContracts } from './tenant/contract.ts';

/** The contract table: every route of the API, by operation id. */
export const contracts = {
  ...healthContracts,
  ...tenantContracts,
  ...appointmentContracts,
  ...professionalContracts,
  ...serviceContracts,
  ...specificationContracts,
} satisfies Contracts;
