import { CONFIRMATION } from '../../../dashboard/patients/data-page.ts';
import { DATA_OF_PHONE } from '../../../dashboard/patients/data-addresses.ts';
import { PATIENT_WORDS } from '../../../dashboard/patients/words.ts';
import { PATIENTS } from '../../../dashboard/search/search-box.ts';
import { SEARCH_WORDS } from '../../../dashboard/search/words.ts';
import { erasePatient } from '../../../commands/patients/erase-patient.ts';
import { requireNamedPatient, type NamedPatient } from '../../../commands/patients/named-patient.ts';
import { asOperator, book, inHours } from '../../support/clinic.ts';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';
import { aCall, phoneHash } from '../calls/a-call.ts';
import { idIn, type FormRow } from './form-rows.ts';

const NAME = 'Irma Pires';

/** Each has a phone of their own: who is erased once is not found again. */
let patients = 0;
function aPhone(): string {
  patients += 1;
  return lastPhone();
}
const lastPhone = () => `+35192${String(patients).padStart(7, '0')}`;

async function erase(
  { database, clinic: { tenantId } }: TestDashboard,
  named: Omit<NamedPatient, 'tenantId'>,
) {
  const found = await requireNamedPatient(database, phoneHash, { tenantId, ...named });
  await erasePatient({ database, context: asOperator() }, found);
}

export const PATIENT_DATA_FORMS: Record<string, FormRow> = {
  '/appointments/:id/patient/erase': {
    by: 'ana',
    async begin({ database, clinic }) {
      const patientPhoneHash = phoneHash({ tenantId: clinic.tenantId, e164: aPhone() });
      const startsAt = inHours(24 * 200 + patients);
      const { id } = await book(database, clinic, { startsAt, patientName: NAME, patientPhoneHash });
      const page = `/appointments/${id}/patient`;
      return { page, action: `${page}/erase` };
    },
    fill: (page) => page.locator(`input[name="${CONFIRMATION}"]`).fill(NAME),
    theirs: (dashboard, at) => erase(dashboard, { appointmentId: idIn(at) }),
  },
  '/patients/phone/erase': {
    by: 'ana',
    async begin(dashboard) {
      await aCall(dashboard, { from: aPhone(), outcome: 'voicemail' });
      return { page: PATIENTS, action: `${DATA_OF_PHONE}/erase` };
    },
    async fill(page) {
      await page.getByRole('searchbox').fill(lastPhone());
      await page.getByRole('button', { name: SEARCH_WORDS.en.patients.button }).click();
      await page.getByRole('link', { name: PATIENT_WORDS.en.dataOfPhone }).click();
      await page.locator(`input[name="${CONFIRMATION}"]`).fill(lastPhone());
    },
    theirs: (dashboard) => erase(dashboard, { phone: lastPhone() }),
  },
};
