import { presenter } from '../contract/presented.ts';
import { professionalSchema } from './contract.ts';

/** docs/professionals.md#fields */
export const presentProfessional = presenter(professionalSchema);
