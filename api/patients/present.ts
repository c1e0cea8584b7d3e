import type { CallNumberSeal } from '../../adapters/phones/call-numbers.ts';
import type { PatientAccess } from '../../commands/patient-reads/patient-accesses.ts';
import type { exportPatient, VisitWithAnswers, WholeCall } from '../../commands/patients/export-patient.ts';
import { presentAppointment } from '../appointments/present.ts';
import { presentCallEvent, presentCallWithTexts } from '../calls/present.ts';

/** docs/operations/patient-data.md#export */
export function presentPatientExport(
  { appointments, calls, recalls, seenBy, ...rest }: Awaited<ReturnType<typeof exportPatient>>,
  tenantId: string,
  numbers: CallNumberSeal,
) {
  return {
    ...rest,
    appointments: appointments.map(presentVisit),
    calls: calls.map((call) => presentWholeCall(call, numbers)),
    recalls: recalls.map(({ lastVisitAt, createdAt }) => ({
      lastVisitAt: lastVisitAt.toISOString(),
      createdAt: createdAt.toISOString(),
    })),
    seenBy: seenBy.map((access) => presentAccess(access, tenantId)),
  };
}

/** An appointment with the patient's answers and email address. */
export function presentVisit({ row, npsResponse, triageForm, patientEmail }: VisitWithAnswers) {
  return {
    ...presentAppointment(row),
    npsResponse: npsResponse && { score: npsResponse.score, comment: npsResponse.comment },
    triageForm: triageForm && { answers: triageForm.answers },
    patientEmail,
  };
}

/** A call with its transcript. */
export function presentWholeCall({ row, events, recording }: WholeCall, numbers: CallNumberSeal) {
  return {
    ...presentCallWithTexts(row, numbers),
    events: events.map(presentCallEvent),
    recording: recording && { contentType: recording.contentType, sizeBytes: recording.sizeBytes },
  };
}

/** An entry of the access log, in the form of the activity log. */
export function presentAccess({ at, ids, requestIds, ...access }: PatientAccess, tenantId: string) {
  return {
    ...access,
    at: at.toISOString(),
    tenantId,
    subjectId: ids[0] ?? null,
    requestId: requestIds[0] ?? null,
    details: { ids, requestIds },
  };
}
