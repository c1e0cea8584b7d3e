import type { UpdateTenant } from '../../commands/clinic/update-tenant.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { longest } from '../../domain/bounded-text.schema.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import type { Html } from '../../pages/html.ts';
import { inputsOf, sayTicked } from '../edits/edit-parts.ts';
import type { FormFields, NameOf } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import { optional, showTicked, ticked } from '../filled-in.schema.ts';
import { field, tickBox } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { BOOKING_SETTINGS_WORDS } from './booking-words.ts';

/** The settings of online booking. */
export type ShownOfBooking = Required<Pick<UpdateTenant, 'publicSlug' | 'publicBookingEnabled'>>;

export const BOOKING_FORM: FormFields<TenantRow, ShownOfBooking> = {
  publicSlug: {
    read: optional(tenantRules.publicSlug),
    show: ({ publicSlug }) => publicSlug ?? '',
  },
  publicBookingEnabled: {
    read: ticked,
    show: ({ publicBookingEnabled }) => showTicked(publicBookingEnabled),
  },
};

/** @param isTaken whether another clinic uses the address */
export function bookingInputs(view: View, edit: Edit<ShownOfBooking>, isTaken: boolean): Html[] {
  const { taken, ...words } = BOOKING_SETTINGS_WORDS[view.language];
  const wrong = isTaken ? { publicSlug: taken } : words.wrong;
  const of = inputsOf(view, edit, { ...words, wrong }, { publicBookingEnabled: sayTicked(view) });
  const inputs: Record<NameOf<ShownOfBooking>, Html> = {
    publicSlug: field({ ...of('publicSlug'), maxLength: longest(tenantRules.publicSlug) }),
    publicBookingEnabled: tickBox(of('publicBookingEnabled')),
  };
  return Object.values(inputs);
}
