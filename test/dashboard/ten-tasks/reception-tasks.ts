import { BLOCK_WORDS } from '../../../dashboard/blocks/words.ts';
import { ONE_APPOINTMENT_WORDS } from '../../../dashboard/appointments/appointment-words.ts';
import { BOOKING_WORDS } from '../../../dashboard/appointments/booking-words.ts';
import { DAY_WORDS } from '../../../dashboard/appointments/day/words.ts';
import { FRAME_WORDS } from '../../../dashboard/layout/words.ts';
import { CALL_WORDS } from '../../../dashboard/calls/words.ts';
import { formatFor } from '../../../dashboard/language/format.ts';
import { OVERVIEW_WORDS } from '../../../dashboard/overview/words.ts';
import { PATIENT_WORDS } from '../../../dashboard/patients/words.ts';
import { aCall, phoneHash } from '../calls/a-call.ts';
import { at, dayIn, NOW, TODAY, YESTERDAY, ZONE } from './clinic-day.ts';
import { agreedInCall } from './agreed-in-call.ts';
import { search, type Hand } from './hand.ts';
import type { Task } from './tasks.ts';

const dayPage = (day: string) => `/appointments?day=${day}`;

/** In the picture of a day. */
const lineOf = ({ page }: Hand, name: string) => page.locator('.picture .visit').filter({ hasText: name });
const timeOf = ({ page }: Hand, time: string) =>
  page.locator('.desk-times .choice').filter({ hasText: time }).first();

const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

export const RECEPTION_TASKS: readonly Task[] = [
  {
    title: 'a patient’s next visit is found',
    who: 'rita',
    most: 2,
    async prepare(clinicDay) {
      await clinicDay.booked(dayIn(9), '15:00', { patientName: 'Leonor Ávila Nunes' });
      return async (hand) => {
        const { language } = hand.seat;
        await hand.begins(dayPage(TODAY));
        await hand.keeps({ name: 'dashboard-day', height: 760, isOfPhoneToo: true });
        await search(hand, 'patients', 'nunes avila');
        await hand.sees(PATIENT_WORDS[language].next);
        await hand.sees(
          `${formatFor(language, { zone: ZONE, country: 'PT' }).day(at(dayIn(9), '15:00'))}, 15:00`,
        );
        await hand.keeps({ name: 'dashboard-patient', height: 400 });
      };
    },
  },
  {
    title: 'a caller with a first name and a phone is booked',
    who: 'rita',
    most: 5,
    prepare: async () => async (hand) => {
      const words = BOOKING_WORDS[hand.seat.language];
      await hand.begins(dayPage(dayIn(1)));
      await hand.pressLink(words.title);
      await hand.sees(words.name);
      await hand.type('Inês');
      await hand.key('Tab');
      await hand.type('912 345 678');
      await hand.press(hand.page.getByRole('radio', { name: 'Consulta' }));
      // Without scripts the times wait for their button.
      if (hand.seat.hasScripts === false) await hand.pressButton(words.showTimes);
      await hand.sees(words.parts.afternoon);
      await hand.press(timeOf(hand, '15:30'));
      await hand.keeps({ name: 'dashboard-booking', height: 720 });
      await hand.pressButton(words.book);
      await hand.sees(words.toDay);
    },
  },
  {
    title: 'an appointment is moved',
    who: 'rita',
    most: 3,
    async prepare(clinicDay) {
      await clinicDay.booked(dayIn(2), '10:00', { patientName: 'Nuno Moreira' });
      return async (hand) => {
        const words = BOOKING_WORDS[hand.seat.language];
        await hand.begins(dayPage(dayIn(2)));
        const move = { name: DAY_WORDS[hand.seat.language].move };
        await hand.press(lineOf(hand, 'Nuno Moreira').getByRole('link', move));
        await hand.sees(words.moveText);
        await hand.press(timeOf(hand, '14:00'));
        await hand.pressButton(words.moveButton);
        await hand.sees(words.toDay);
      };
    },
  },
  {
    title: 'a wrong check-in is undone at once',
    who: 'rita',
    most: 2,
    async prepare(clinicDay) {
      await clinicDay.booked(YESTERDAY, '16:00', { patientName: 'Olga Pratas' });
      return async (hand) => {
        const { done } = ONE_APPOINTMENT_WORDS[hand.seat.language];
        await hand.begins(dayPage(YESTERDAY));
        await lineOf(hand, 'Olga Pratas').getByRole('button').click();
        await hand.sees(done.attended('Olga Pratas'));
        await hand.pressButton(FRAME_WORDS[hand.seat.language].undo);
        await hand.sees(done.confirmed('Olga Pratas'));
      };
    },
  },
  {
    title: 'a wrong check-in of a while ago is undone',
    who: 'rita',
    most: 2,
    async prepare(clinicDay) {
      const made = await clinicDay.booked(YESTERDAY, '17:00', { patientName: 'Hugo Paiva' });
      await clinicDay.settled(made, 'attended', at(YESTERDAY, '16:55'));
      return async (hand) => {
        const words = ONE_APPOINTMENT_WORDS[hand.seat.language];
        await hand.begins(dayPage(YESTERDAY));
        await hand.press(lineOf(hand, 'Hugo Paiva').getByRole('link').first());
        await hand.sees(words.takeBack.attended);
        await hand.pressButton(words.takeBack.attended);
        await hand.sees(words.checkIn);
      };
    },
  },
  {
    title: 'an afternoon is blocked',
    who: 'rita',
    most: 3,
    prepare: async () => async (hand) => {
      const words = BLOCK_WORDS[hand.seat.language];
      await hand.begins(dayPage(dayIn(3)));
      await hand.pressLink(words.add);
      await hand.sees(words.whose);
      await hand.press(hand.page.getByRole('radio', { name: 'Eva Matos' }));
      await hand.keeps({ name: 'dashboard-block', height: 480 });
      await hand.pressButton(words.parts.afternoon);
      await hand.sees(words.blocked);
    },
  },
  {
    title: 'whom to call back is seen',
    who: 'rita',
    most: 1,
    async prepare(clinicDay) {
      const { tenantId } = clinicDay.clinic;
      const [known, unknown] = ['+351914444444', '+351210000001'];
      const patientPhoneHash = phoneHash({ tenantId, e164: known });
      await clinicDay.booked(dayIn(10), '09:30', { patientName: 'Graça Teles', patientPhoneHash });
      await aCall(clinicDay, { from: known, startedAt: minutesAgo(35), outcome: 'voicemail' });
      await aCall(clinicDay, { from: unknown, startedAt: minutesAgo(80), outcome: 'abandoned' });
      return async (hand) => {
        const { language } = hand.seat;
        await hand.begins(dayPage(TODAY));
        await hand.pressLink('Clínica da Luz');
        await hand.sees(OVERVIEW_WORDS[language].toReturn('2'));
        await hand.sees('Graça Teles');
        await hand.sees(unknown);
        await hand.keeps({ name: 'dashboard-call-backs', height: 900 });
      };
    },
  },
  {
    title: 'what the AI agreed with her is read',
    who: 'rita',
    most: 2,
    async prepare(clinicDay) {
      await agreedInCall(clinicDay);
      return async (hand) => {
        const words = CALL_WORDS[hand.seat.language];
        await hand.begins(dayPage(dayIn(6)));
        await hand.press(lineOf(hand, 'Teresa Antunes').getByRole('link').first());
        await hand.sees(ONE_APPOINTMENT_WORDS[hand.seat.language].toCall);
        await hand.pressLink(ONE_APPOINTMENT_WORDS[hand.seat.language].toCall);
        await hand.sees(words.agreed);
        await hand.sees('De manhã não posso.');
        await hand.keeps({ name: 'dashboard-call', height: 760 });
      };
    },
  },
];
