import { presenter } from '../contract/presented.ts';
import { professionalSchema } from './professional-schemas.contract.ts';

/** docs/professionals.md#fields */
export const presentProfessional = presenter(professionalSchema);
