import { AppointmentEntity, type AppointmentRow } from '../entities/appointment.entity.ts';
import { rowReader } from '../connection/row-reader.ts';

export const appointmentReader = rowReader<AppointmentRow>(AppointmentEntity);
