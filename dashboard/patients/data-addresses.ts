/** The data of an appointment's patient. */
export const DATA_OF_PATIENT = '/appointments/:id/patient';
/** The data of everyone with a phone. */
export const DATA_OF_PHONE = '/patients/phone';
export const ERASURE = '/patients/erased';

export function dataOfPatientAddress(appointmentId: string): string {
  return DATA_OF_PATIENT.replace(':id', appointmentId);
}
