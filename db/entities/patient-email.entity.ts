import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Opened, Sealed } from '../../domain/encryption/sealed-value.ts';

/** The e-mail address that a patient gave with an online booking, and what was mailed to it. */
export const PatientEmailEntity = defineEntity({
  name: 'PatientEmail',
  tableName: 'patient_email',
  properties: {
    /** The booked appointment, which names the visit in calendar files. */
    bookedId: p.uuid().primary(),
    tenantId: p.uuid(),
    /** The appointment that replaced it last. */
    appointmentId: p.uuid().unique(),
    email: p.text().$type<Sealed<string>>(),
    language: p.text().$type<'en' | 'pt'>(),
    /** When the next mail is due. */
    dueAt: p.datetime(3).strictNullable(),
    /** The state that the patient was told last. */
    toldId: p.uuid().strictNullable(),
    toldStatus: p.text().$type<'confirmed' | 'cancelled'>().strictNullable(),
    toldAt: p.datetime(3).strictNullable(),
    /** The blocked time because of which reception asks the patient for another time. */
    blockId: p.uuid().strictNullable(),
    blockToldAt: p.datetime(3).strictNullable(),
    /** When the mail server refused the address for good. */
    refusedAt: p.datetime(3).strictNullable(),
    keepUntil: p.datetime(3),
  },
});
export type StoredPatientEmail = InferEntity<typeof PatientEmailEntity>;
export type PatientEmailRow = Opened<StoredPatientEmail>;
