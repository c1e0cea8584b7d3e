import { TenantEntity } from '../../../db/entities/tenant.entity.ts';
import { WebhookDeliveryEntity } from '../../../db/entities/webhooks/webhook-delivery.entity.ts';
import { INFORMED_WORDS } from '../../../dashboard/appointments/one-appointment/informed-words.ts';
import { FRAME_WORDS } from '../../../dashboard/layout/words.ts';
import { OVERVIEW_WORDS } from '../../../dashboard/overview/words.ts';
import { DESK_WORDS } from '../../../dashboard/support/desk-words.ts';
import { RESEND_WORDS } from '../../../dashboard/webhooks/deliveries/resend-words.ts';
import { DELIVERY_WORDS } from '../../../dashboard/webhooks/deliveries/words.ts';
import { FAILURE_WORDS } from '../../../dashboard/webhooks/failure-words.ts';
import { aClinic, anEndpoint } from '../../support/clinic.ts';
import { anEventLost, neverTaken, NOW, TODAY, YESTERDAY, type ClinicDay } from './clinic-day.ts';
import { search, type Hand } from './hand.ts';
import type { Task } from './tasks.ts';

const HOURS_MS = 3_600_000;

/** An appointment of which the clinic's other system was never told. */
async function untold(clinicDay: ClinicDay, time: string, patientName: string, day: string): Promise<void> {
  const { database, who } = clinicDay;
  const { id } = await clinicDay.booked(day, time, { patientName, professionalId: who.joao });
  const delivery = await database.em().findOneOrFail(WebhookDeliveryEntity, { appointmentId: id });
  await neverTaken(clinicDay, delivery, new Date(NOW.getTime() - 16 * HOURS_MS));
}

/** Another one, with events that never arrived. */
async function aClinicThatMissed(clinicDay: ClinicDay, name: string, events: number): Promise<void> {
  const { database } = clinicDay;
  const { tenantId } = await aClinic(database);
  await database.em().nativeUpdate(TenantEntity, { id: tenantId }, { name });
  const endpointId = await anEndpoint(database, tenantId);
  for (let event = 0; event < events; event += 1) await anEventLost(clinicDay, { tenantId, endpointId });
}

export const WEBHOOK_TASKS: readonly Task[] = [
  {
    title: 'why the PMS did not get it is read',
    who: 'ana',
    most: 2,
    async prepare(clinicDay) {
      await untold(clinicDay, '17:15', 'Sandra Quintas', TODAY);
      return async (hand) => {
        const { language } = hand.seat;
        await hand.begins(`/appointments?day=${TODAY}`);
        await hand.press(
          hand.page
            .locator('.picture .visit')
            .filter({ hasText: 'Sandra Quintas' })
            .getByRole('link')
            .first(),
        );
        await hand.sees(INFORMED_WORDS[language].why);
        await hand.keeps({ name: 'dashboard-appointment' });
        await hand.pressLink(INFORMED_WORDS[language].why);
        await hand.sees(DELIVERY_WORDS[language].about.failed);
        await hand.sees(FAILURE_WORDS[language].http_5xx.remedy);
        await hand.keeps({ name: 'dashboard-delivery' });
      };
    },
  },
  {
    title: '“10:30 yesterday never reached our PMS” is answered',
    who: 'sofia',
    most: 3,
    async prepare(clinicDay) {
      await untold(clinicDay, '10:30', 'Artur Melo', YESTERDAY);
      return async (hand) => {
        const { language } = hand.seat;
        await hand.begins('/support');
        await search(hand, 'anything', language === 'en' ? 'Luz 10:30 yesterday' : 'Luz ontem 10h30');
        await hand.sees(DESK_WORDS[language].about.appointments);
        await hand.keeps({ name: 'dashboard-desk', height: 560 });
        await hand.press(hand.page.locator('main td a[href^="/support/appointments/"]').first());
        await hand.sees(FAILURE_WORDS[language].http_5xx.title);
      };
    },
  },
  {
    title: 'what one clinic never got is sent again by the desk',
    who: 'sofia',
    most: 3,
    async prepare(clinicDay) {
      await aClinicThatMissed(clinicDay, 'Clínica Boavista', 2);
      return async (hand) => {
        const { undelivered: words } = DESK_WORDS[hand.seat.language];
        await hand.begins('/support/stuck');
        await search(hand, 'anything', 'boavista');
        await hand.sees(words.resend(2, '2'));
        await hand.keeps({ name: 'dashboard-desk-clinic', height: 600 });
        await hand.pressButton(words.resend(2, '2'));
        await hand.sees(words.sent(2, '2'));
      };
    },
  },
  {
    title: 'what no clinic got is sent again by the desk',
    who: 'sofia',
    most: 3,
    async prepare(clinicDay) {
      await aClinicThatMissed(clinicDay, 'Clínica do Mar', 3);
      await aClinicThatMissed(clinicDay, 'Centro Dentário Foz', 2);
      return async (hand) => {
        const { menu, sections } = FRAME_WORDS[hand.seat.language];
        await hand.begins('/support');
        if (isMenuFolded(hand)) await hand.pressButton(menu);
        await hand.pressLink(sections.undelivered);
        await hand.sees('Centro Dentário Foz');
        await hand.press(hand.page.locator('main form.actions button'));
        // What other tasks have left is among them.
        await hand.sees(/events queued for resending|eventos serão reenviados/);
      };
    },
  },
  {
    title: 'what was given up is sent again by the clinic itself',
    who: 'ana',
    most: 3,
    async prepare(clinicDay) {
      const { pms: endpointId, clinic } = clinicDay;
      await anEventLost(clinicDay, { tenantId: clinic.tenantId, endpointId });
      return async (hand) => {
        const { language } = hand.seat;
        const words = RESEND_WORDS[language];
        await hand.begins('/');
        await hand.keeps({ name: 'dashboard-overview', height: 760 });
        await hand.pressLink(OVERVIEW_WORDS[language].showUndelivered);
        await hand.sees(words.choose);
        await hand.pressButton(words.choose);
        await hand.sees(words.back);
        await hand.press(hand.page.locator('main form button'));
        await hand.sees(/Resending|A reenviar/);
      };
    },
  },
];

function isMenuFolded({ seat }: Hand): boolean {
  return seat.viewport.width < 800;
}
