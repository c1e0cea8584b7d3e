import { SEALED_FIELDS } from '../../domain/encryption/sealed-fields.ts';
import { sealedReader } from '../encryption/sealed-reader.ts';
import { AppointmentEntity, type StoredAppointment } from '../entities/appointment.entity.ts';

export const appointmentReader = sealedReader<StoredAppointment>(
  AppointmentEntity,
  SEALED_FIELDS.appointment,
);
