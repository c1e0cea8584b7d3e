import { z } from 'zod';
import { lockTenant } from '../../commands/clinic/lock-tenant.ts';
import { updateTenant, type UpdateTenant } from '../../commands/clinic/update-tenant.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { EntityManager } from '../../db/connection/open-database.ts';
import type { ServiceWithProfessionals } from '../../db/clinic/services.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { longest } from '../../domain/text/bounded-text.schema.ts';
import { selfServiceRules, type SelfServiceRules } from '../../domain/clinic/self-service.ts';
import { tenantConfigSchema } from '../../domain/clinic/tenant-config.schema.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import { html, type Html } from '../../pages/html.ts';
import { inputsOf, sayTicked } from '../edits/edit-parts.ts';
import type { FormFields, NameOf, Values } from '../edits/form-fields.ts';
import type { Edit } from '../edits/save-edit.ts';
import {
  optional,
  sentOfSeveral,
  severalTicked,
  showSeveral,
  showTicked,
  ticked,
} from '../filled-in.schema.ts';
import { copyable, notice } from '../layout/components.ts';
import { field, tickBox, tickBoxes } from '../layout/form.ts';
import type { View } from '../layout/view.ts';
import { BOOKING_SETTINGS_WORDS } from './booking-words.ts';

/** The settings of online booking. */
export type ShownOfBooking = Required<
  Pick<UpdateTenant, 'publicSlug' | 'publicBookingEnabled'> & SelfServiceRules
>;

const rules = tenantConfigSchema.shape.selfService.unwrap().shape;
const wholeNumber = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number);

export const BOOKING_FORM: FormFields<TenantRow, ShownOfBooking> = {
  publicBookingEnabled: {
    read: ticked,
    show: ({ publicBookingEnabled }) => showTicked(publicBookingEnabled),
  },
  publicSlug: {
    read: optional(tenantRules.publicSlug),
    show: ({ publicSlug }) => publicSlug ?? '',
  },
  minNoticeMinutes: {
    read: wholeNumber.pipe(rules.minNoticeMinutes.unwrap()),
    show: ({ config }) => String(selfServiceRules(config).minNoticeMinutes),
  },
  maxDaysAhead: {
    read: wholeNumber.pipe(rules.maxDaysAhead.unwrap()),
    show: ({ config }) => String(selfServiceRules(config).maxDaysAhead),
  },
  serviceTypeIds: {
    read: severalTicked.pipe(rules.serviceTypeIds.unwrap()),
    show: ({ config }) => showSeveral(selfServiceRules(config).serviceTypeIds ?? []),
    sent: sentOfSeveral('serviceTypeIds'),
  },
};

/** Why the address of the booking page was refused. */
export type AddressProblem = 'taken' | 'missing';

export interface ShownBooking {
  edit: Edit<ShownOfBooking>;
  services: readonly ServiceWithProfessionals[];
  problem: AddressProblem | null;
}

export function bookingInputs(view: View, { edit, services, problem }: ShownBooking): Html[] {
  const { problems, ...words } = BOOKING_SETTINGS_WORDS[view.language];
  const wrong = problem ? { ...words.wrong, publicSlug: problems[problem] } : words.wrong;
  const names = new Map(services.map(({ service }) => [service.id, service.name]));
  const of = inputsOf(
    view,
    edit,
    { ...words, wrong },
    {
      publicBookingEnabled: sayTicked(view),
      serviceTypeIds: (ids) =>
        ids
          .split('\n')
          .map((id) => names.get(id) ?? id)
          .join(', '),
    },
  );
  const inputs: Record<NameOf<ShownOfBooking>, Html> = {
    publicBookingEnabled: tickBox(of('publicBookingEnabled')),
    publicSlug: field({ ...of('publicSlug'), maxLength: longest(tenantRules.publicSlug) }),
    minNoticeMinutes: field({ ...of('minNoticeMinutes'), type: 'number' }),
    maxDaysAhead: field({ ...of('maxDaysAhead'), type: 'number' }),
    serviceTypeIds: tickBoxes({
      ...of('serviceTypeIds'),
      options: services.map(({ service: { id, name } }) => ({ value: id, label: name })),
    }),
  };
  return Object.values(inputs);
}

/** A sentence that says whether patients can book online, and where. */
export function bookingState(
  view: View,
  { publicSlug, publicBookingEnabled }: TenantRow,
  dashboardUrl: string,
): Html {
  const { state } = BOOKING_SETTINGS_WORDS[view.language];
  if (!publicBookingEnabled) return html`<p class="soft">${state.off}</p>`;
  if (publicSlug === null) return notice('bad', state.noAddress);
  const address = new URL(`/book/${publicSlug}`, dashboardUrl).href;
  return html`<p>${state.on} <a href="${address}">${state.open}</a></p>
    ${copyable(view, address)}`;
}

/** Online booking needs an address. */
export class AddressMissing extends Error {}

/** @throws AddressMissing */
export async function saveBooking(
  em: EntityManager,
  tenantId: string,
  { changes, values }: { changes: Partial<ShownOfBooking>; values: Values<ShownOfBooking> },
  context: CommandContext,
): Promise<unknown> {
  if (values.publicBookingEnabled === 'yes' && values.publicSlug === '') throw new AddressMissing();
  const { minNoticeMinutes, maxDaysAhead, serviceTypeIds, ...fields } = changes;
  const { config } = await lockTenant(em, tenantId);
  const { serviceTypeIds: before, ...stored } = selfServiceRules(config);
  // No tick means every service. What this form did not change stays as it is.
  const chosen = serviceTypeIds?.length === 0 ? undefined : (serviceTypeIds ?? before);
  const selfService = {
    ...stored,
    ...(minNoticeMinutes !== undefined && { minNoticeMinutes }),
    ...(maxDaysAhead !== undefined && { maxDaysAhead }),
    ...(chosen && { serviceTypeIds: [...chosen] }),
  };
  const isRuled = [minNoticeMinutes, maxDaysAhead, serviceTypeIds].some((change) => change !== undefined);
  return updateTenant(em, { ...fields, ...(isRuled && { config: { selfService } }), tenantId }, context);
}
