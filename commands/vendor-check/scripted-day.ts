import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, EntityManager } from '../../db/connection/open-database.ts';
import { readDatabaseTime } from '../../db/connection/statements.ts';
import { AppointmentEntity, type AppointmentRow } from '../../db/entities/appointment.entity.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { bookAppointment } from '../appointments/book-appointment.ts';
import { changeAppointment, type ChangeAppointment } from '../appointments/change-appointment.ts';
import type { CommandContext } from '../command-context.ts';
import { updateEndpoint } from '../webhooks/save-endpoint.ts';
import { resendDelivery } from '../webhooks/sending-again/resend-delivery.ts';
import { SETTLE_MS, WatchedConnector } from './watched-connector.ts';

/** One thing that a connector does right or wrong. */
export interface Finding {
  step: string;
  result: 'right' | 'wrong';
  finding: string;
}

export interface VendorCheck {
  database: Database;
  tenantId: string;
  endpointId: string;
  /** The professional to book. */
  professionalId: string;
  /** How long the connector may take to acknowledge. */
  withinSeconds: number;
  actor: CommandContext['actor'];
}

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
/** Far enough ahead that there are no other bookings. */
const DAYS_AHEAD = 60;
/** How many start times are tried. */
const MAX_TIMES = 500;
/** docs/webhooks.md#answer-fast */
const MAX_ANSWER_MS = 5000;

/** A day in a sandbox, for a connector that reads or receives the endpoint's events. */
export class ScriptedDay {
  readonly #check: VendorCheck;
  readonly #connector: WatchedConnector;
  readonly #booked = new Set<string>();
  #tried = 0;

  constructor(check: VendorCheck) {
    this.#check = check;
    this.#connector = new WatchedConnector({ ...check, withinMs: check.withinSeconds * 1000 });
  }

  /** Stops after the first booking if it is not acknowledged: then nothing else can be checked. */
  async *play(): AsyncGenerator<Finding> {
    try {
      yield* this.#everything();
    } finally {
      await this.#cancelAll();
    }
  }

  async *#everything(): AsyncGenerator<Finding> {
    const first = await this.#book();
    const begun = await this.#acknowledged('booking', first);
    yield begun;
    if (begun.result === 'wrong') return;
    const moved = await this.#change(first, { startsAt: await this.#nextTime() });
    yield await this.#acknowledged('move: the original', moved.appointment);
    const replacement = moved.replacement ?? moved.appointment;
    this.#booked.add(replacement.id);
    yield await this.#acknowledged('move: the replacement', replacement);
    const checkedIn = await this.#change(replacement, { status: 'attended' });
    yield await this.#acknowledged('check-in', checkedIn.appointment);
    const second = await this.#book();
    yield await this.#acknowledged('second booking', second);
    const cancelled = await this.#change(second, { status: 'cancelled' });
    yield await this.#acknowledged('cancellation', cancelled.appointment);
    yield await this.#quickChanges();
    yield await this.#repeat(cancelled.appointment);
    yield* this.#outage();
    yield await this.#speed();
  }

  /** Frees the times again. */
  async #cancelAll(): Promise<void> {
    for (const id of this.#booked) {
      const wanted = { tenantId: this.#check.tenantId, id };
      const { status } = await this.#check.database
        .em()
        .findOneOrFail(AppointmentEntity, wanted, { fields: ['status'] });
      if (status === 'confirmed') await this.#change({ id }, { status: 'cancelled' });
    }
  }

  async #quickChanges(): Promise<Finding> {
    const { id } = await this.#book();
    await this.#change({ id }, { patientName: 'Vendor check, second name' });
    const { appointment } = await this.#change({ id }, { patientName: 'Vendor check, third name' });
    return this.#acknowledged('three changes at once', appointment);
  }

  /** Sends an event again that the connector has processed. */
  async #repeat({ id, version }: Pick<AppointmentRow, 'id' | 'version'>): Promise<Finding> {
    const last = (await this.#connector.deliveriesOf(id)).at(-1);
    if (last && !(await this.#connector.hasReceived(last.id)))
      return { step: 'repeat', result: 'wrong', finding: 'It did not receive the event the first time.' };
    return this.#afterResend('repeat', last?.id, {
      right: 'It ignored an event that it had processed.',
      wrong: `It acknowledged version ${version} again after a repeat: it writes repeats, or acknowledges what it did not write.`,
    });
  }

  /** Nothing is sent for a while. Then an old event arrives after a newer one, and then all that was missed. */
  async *#outage(): AsyncGenerator<Finding> {
    const { missed, cancelled } = await this.#whileOff();
    const [overtaken] = missed;
    const { appointment } = await this.#change(overtaken, { patientName: 'Vendor check, newer' });
    yield await this.#acknowledged('change of an appointment that it has not seen', appointment);
    const [oldest] = await this.#connector.deliveriesOf(overtaken.id);
    yield await this.#afterResend('old event after a newer one', oldest?.id, {
      right: 'It ignored an event with an older version.',
      wrong:
        'It acknowledged the older version after the newer one: compare the version before you store an event.',
    });
    for (const { id } of missed.slice(1)) await this.#resendSkipped(id);
    yield await this.#acknowledged('missed booking after an outage', missed[2]);
    yield await this.#acknowledged('missed cancellation after an outage', cancelled.appointment);
  }

  async #whileOff() {
    await this.#switch(false);
    try {
      const missed = [await this.#book(), await this.#book(), await this.#book()] as const;
      return { missed, cancelled: await this.#change(missed[1], { status: 'cancelled' }) };
    } finally {
      await this.#switch(true);
    }
  }

  async #resendSkipped(appointmentId: string): Promise<void> {
    const { tenantId } = this.#check;
    for (const { id: deliveryId, status } of await this.#connector.deliveriesOf(appointmentId))
      if (status === 'skipped')
        await this.#write((em, context) => resendDelivery(em, { tenantId, deliveryId }, context));
  }

  async #speed(): Promise<Finding> {
    const longestMs = await this.#connector.longestAnswerMs([...this.#booked]);
    if (longestMs <= MAX_ANSWER_MS)
      return { step: 'speed', result: 'right', finding: 'Every answer came within 5 seconds.' };
    const finding = `An answer took ${longestMs} ms: store the event, answer within 5 seconds, and work afterwards.`;
    return { step: 'speed', result: 'wrong', finding };
  }

  async #acknowledged(
    step: string,
    { id, version }: Pick<AppointmentRow, 'id' | 'version'>,
  ): Promise<Finding> {
    const state = await this.#connector.acknowledgementOf(id, version);
    const seconds = this.#check.withinSeconds;
    const wrong =
      state === 'refused'
        ? 'It refused the appointment.'
        : `It did not acknowledge it within ${seconds} seconds.`;
    if (state !== 'written') return { step, result: 'wrong', finding: wrong };
    return { step, result: 'right', finding: 'It acknowledged it as written.' };
  }

  /** Sends a delivery again. A good connector takes it and does nothing. */
  async #afterResend(
    step: string,
    deliveryId: string | undefined,
    { right, wrong }: { right: string; wrong: string },
  ): Promise<Finding> {
    if (deliveryId === undefined)
      return { step, result: 'wrong', finding: 'The endpoint does not subscribe to these events.' };
    await this.#connector.untilQuiet();
    const since = await readDatabaseTime(this.#check.database.em());
    const { tenantId } = this.#check;
    const again = await this.#write((em, context) => resendDelivery(em, { tenantId, deliveryId }, context));
    if (!(await this.#connector.hasReceived(again.id)))
      return {
        step,
        result: 'wrong',
        finding: 'It did not take the event: answer 2xx, or pass the cursor on.',
      };
    await pause(SETTLE_MS);
    const isIgnored = (await this.#connector.acknowledgementsSince(since)) === 0;
    return { step, result: isIgnored ? 'right' : 'wrong', finding: isIgnored ? right : wrong };
  }

  #switch(enabled: boolean) {
    const { tenantId, endpointId } = this.#check;
    return this.#write((em, context) =>
      updateEndpoint(em, { tenantId, endpointId, fields: {}, enabled }, context),
    );
  }

  async #book(): Promise<AppointmentRow> {
    const { tenantId, professionalId } = this.#check;
    while (this.#tried < MAX_TIMES) {
      const startsAt = await this.#nextTime();
      const visit = {
        tenantId,
        professionalId,
        serviceTypeId: null,
        startsAt,
        endsAt: new Date(startsAt.getTime() + HALF_HOUR_MS),
        patientName: 'Vendor check',
        patientPhoneHash: randomBytes(32).toString('hex'),
        source: 'manual' as const,
        patientNotes: null,
        metadata: null,
        externalId: null,
        patientExternalId: null,
        respectHours: false,
        mayBackdate: false,
      };
      try {
        const booked = await this.#write((em, context) => bookAppointment(em, visit, context));
        this.#booked.add(booked.id);
        return booked;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'slot_conflict') throw error;
      }
    }
    throw new ServiceError('slot_conflict', `No time is free from ${DAYS_AHEAD} days ahead on.`);
  }

  #change({ id }: Pick<AppointmentRow, 'id'>, changes: Partial<ChangeAppointment>) {
    const input = { tenantId: this.#check.tenantId, appointmentId: id, mayBackdate: false, ...changes };
    return this.#write((em, context) => changeAppointment(em, input, context));
  }

  async #nextTime(): Promise<Date> {
    this.#tried += 1;
    const now = await readDatabaseTime(this.#check.database.em());
    const start = Math.ceil((now.getTime() + DAYS_AHEAD * DAY_MS) / HALF_HOUR_MS) * HALF_HOUR_MS;
    return new Date(start + this.#tried * HALF_HOUR_MS);
  }

  #write<T>(work: (em: EntityManager, context: CommandContext) => Promise<T>) {
    const { database, actor } = this.#check;
    return database.write(async (em) =>
      work(em, { actor, requestId: null, now: await readDatabaseTime(em) }),
    );
  }
}
