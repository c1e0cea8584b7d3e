import { presenter } from '../../domain/presented.schema.ts';
import { professionalSchema } from './contract.ts';

/** docs/professionals.md#fields */
export const presentProfessional = presenter(professionalSchema);
