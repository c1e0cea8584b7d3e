import { APPOINTMENT_FORMS } from './appointment-forms.ts';
import { BLOCK_FORMS } from './block-forms.ts';
import { CALL_FORMS } from './call-forms.ts';
import type { FormRow } from './form-rows.ts';
import { PATIENT_DATA_FORMS } from './patient-data-forms.ts';
import { INTEGRATION_FORMS } from './integration-forms.ts';
import { SESSION_FORMS } from './session-forms.ts';
import { SETTINGS_FORMS } from './settings-forms.ts';
import { SUPPORT_FORMS } from './support-forms.ts';

/** Every form of the dashboard by its route; where one route has several, also by what tells them apart. */
export const ALL_FORMS: Record<string, FormRow> = {
  ...SETTINGS_FORMS,
  ...INTEGRATION_FORMS,
  ...APPOINTMENT_FORMS,
  ...PATIENT_DATA_FORMS,
  ...BLOCK_FORMS,
  ...CALL_FORMS,
  ...SESSION_FORMS,
  ...SUPPORT_FORMS,
};

/** A script asks there while a form is filled in. */
export const ASKED_BY_SCRIPTS = ['/integrations/endpoints/check'];

/** What every page has: sign-in.test.ts */
export const OF_EVERY_PAGE = ['/language', '/sign-out', '/sign-out-everywhere'];
