import { DateTime } from 'luxon';
import { isolated } from '../../../domain/text/isolated-text.ts';
import type { TimeRange } from '../../../domain/appointments/slot.ts';
import { html, type Html, type Part } from '../../../pages/html.ts';
import type { View } from '../../layout/view.ts';
import { DAY_ADDRESS, queryOf } from './asked-day.ts';
import type { Column } from './find-day-calendar.ts';
import {
  gridOf,
  hourByHour,
  hoursShown,
  inLanes,
  ROWS_AN_HOUR,
  rowsOf,
  within,
  type Grid,
  type Rows,
} from './calendar-grid.ts';
import { shownName } from '../../../domain/patients/erased-name.ts';
import type { AgendaEntry } from '../../../db/appointments/lists/agenda.ts';
import { BLOCKS } from '../../blocks/block-form.ts';
import type { ShownBlock } from '../../blocks/shown-block.ts';
import { shownStatus } from '../appointment-state.ts';
import { ONE_APPOINTMENT_WORDS } from '../appointment-words.ts';
import { timeOn } from '../agenda-table.ts';
import { APPOINTMENT_WORDS } from '../words.ts';
import { DAY_WORDS } from './words.ts';

/**
 * Days as columns with the hours as rows: each column is a list in order of time, positioned by styles.
 * @param isWeek the columns are days of one professional
 */
export function picture(view: View, columns: readonly Column[], isWeek: boolean): Html {
  const { zone } = view.format;
  const hours = hoursShown(
    columns.map(({ open, visits, day }) => ({ open, day, visits: visits.map(rangeOf) })),
    zone,
  );
  const first = columns[0];
  return html`<div class="picture h${hours.count}">
    ${first && hourMarks(view, gridOf(first.day, hours, zone))}
    ${columns.map((column) => columnOf(view, column, gridOf(column.day, hours, zone), isWeek))}
  </div>`;
}

const HOUR_MS = 3_600_000;
const rangeOf = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) => ({
  from: startsAt,
  until: endsAt,
});

function hourMarks({ format }: View, { hours, shown }: Grid): Html {
  const each = Array.from({ length: hours.count }, (_, hour) => hour);
  return html`<ol class="hours" aria-hidden="true">
    ${each.map(
      (hour) =>
        html`<li class="r${hour * ROWS_AN_HOUR}">
          ${format.time(new Date(shown.from.getTime() + hour * HOUR_MS))}
        </li>`,
    )}
  </ol>`;
}

function columnOf(view: View, column: Column, grid: Grid, isWeek: boolean): Html {
  const { professional, day } = column;
  const { format, now } = view;
  const other = isWeek
    ? queryOf({ day: day.date, view: 'day', who: [], first: 0 })
    : queryOf({ day: day.date, view: 'week', who: [professional.id], first: 0 });
  const isToday = day.from <= now && now < day.until;
  const nowRow = isToday ? rowsOf({ from: now, until: now }, grid) : null;
  return html`<section>
    <h2 ${isWeek && isToday && html`class="today"`}>
      <a href="${DAY_ADDRESS}?${other}">${isWeek ? format.weekday(day.from) : professional.name}</a>
    </h2>
    <ol data-professional="${professional.id}" data-day="${day.date}" data-hour="${grid.hours.first}">
      ${closedHours(column, grid)} ${linesOf(view, column, grid)}
      ${nowRow && html`<li class="now r${nowRow.at}" aria-hidden="true"></li>`}
    </ol>
  </section>`;
}

/** Shades the time outside the openings. */
function closedHours({ open }: Column, grid: Grid): Html[] {
  const { from, until } = grid.shown;
  const ends = [from, ...open.flatMap((opening) => [opening.from, opening.until]), until];
  const closed = Array.from({ length: open.length + 1 }, (_, at) => ({
    from: ends[2 * at] ?? from,
    until: ends[2 * at + 1] ?? until,
  }));
  return closed
    .filter((range) => range.from < range.until)
    .flatMap((range) => rowsOf(range, grid) ?? [])
    .map((rows) => html`<li class="closed ${placeOf(rows)}" aria-hidden="true"></li>`);
}

/** Appointments, blocks and free times, in order of time. */
function linesOf(view: View, column: Column, grid: Grid): Html[] {
  const pieces = column.free.flatMap((free) => hourByHour(within(free, grid.shown), grid));
  const visits = inLanes(placed(column.visits, rangeOf, grid)).map((line) => ({
    from: line.range.from,
    line: visitLine(view, column, line.what, `${placeOf(line)}${laneOf(line)}`),
  }));
  const blocks = placed(column.blocks, rangeOf, grid).map((line) => ({
    from: line.range.from,
    line: blockLine(view, column, line.what, placeOf(line)),
  }));
  const free = placed(pieces, (piece) => piece, grid).map((line) => ({
    from: line.range.from,
    line: freeLine(view, column, line.what, placeOf(line)),
  }));
  return [...visits, ...blocks, ...free]
    .toSorted((one, other) => one.from.getTime() - other.from.getTime())
    .map(({ line }) => line);
}

/** Adds the rows to each item; items outside the hours are left out. */
function placed<What>(things: readonly What[], rangeFor: (what: What) => TimeRange, grid: Grid) {
  return things.flatMap((what) => {
    const range = rangeFor(what);
    const rows = rowsOf(range, grid);
    return rows ? [{ what, range, ...rows }] : [];
  });
}

const placeOf = ({ at, span }: Rows) => `r${at} s${span}`;
const laneOf = ({ lane, lanes }: { lane: number; lanes: number }) =>
  lanes > 1 ? ` lane${lane}-${lanes}` : '';

/** An appointment: patient, service and anything unusual; on the day itself also a check-in button. */
function visitLine(view: View, { day }: Column, visit: AgendaEntry, place: string): Html {
  const { id, startsAt, patientName, serviceName, version } = visit;
  const words = DAY_WORDS[view.language];
  const address = `/appointments/${id}`;
  const isOpen = visit.status === 'confirmed';
  // A week shows an appointment over midnight on both days.
  const isBegun = startsAt < day.from;
  // With its own id, a link keeps the focus when the calendar refreshes.
  return html`<li class="visit ${shownStatus(visit, view)} ${place}">
    <a id="${isBegun ? 'w' : 'v'}${id}" href="${address}"
      ><b>${timeOn(view, day, startsAt)}</b> ${shownName(patientName)}</a
    >${marksOf(view, visit)}<i>${serviceName}</i>${
      isOpen &&
      day.from <= view.now &&
      html`<button name="visit" value="${id} ${version}">
        ${ONE_APPOINTMENT_WORDS[view.language].checkIn}
      </button>`
    }${isOpen && !isBegun && html`<a class="move" href="${address}/move">${words.move}</a>`}
  </li>`;
}

/** The status if it is not just booked; the source if it is not staff; and whether there are notes. */
function marksOf(view: View, visit: AgendaEntry): Part {
  const { source, hasNotes, patientConfirmedAt } = visit;
  const { language } = view;
  const { marks, confirmation } = DAY_WORDS[language];
  const status = shownStatus(visit, view);
  const said = [
    ...(status === 'confirmed' ? [] : [APPOINTMENT_WORDS[language].statuses[status]]),
    ...(status === 'confirmed' && patientConfirmedAt ? [confirmation.yes] : []),
    ...(source === 'manual' ? [] : [marks[source]]),
    ...(hasNotes ? [marks.note] : []),
  ];
  return said.length > 0 && html`<small>${said.join(' · ')}</small>`;
}

function blockLine(
  view: View,
  { day }: Column,
  { id, startsAt, endsAt, title }: ShownBlock,
  place: string,
): Html {
  const what = isolated(title ?? DAY_WORDS[view.language].blocked);
  const text = `${timeOn(view, day, startsAt)}–${timeOn(view, day, endsAt)} ${what}`;
  return html`<li class="block ${place}"><a href="${BLOCKS}/${id}">${text}</a></li>`;
}

/** A link for booking at its start. */
function freeLine(
  { format, language }: View,
  { professional, day }: Column,
  { from }: TimeRange,
  place: string,
): Html {
  // What people read depends on the country, such as 2:00 PM.
  const time = DateTime.fromJSDate(from, { zone: format.zone }).toFormat('HH:mm');
  return html`<li class="free ${place}">
    <a href="/appointments/new?professional=${professional.id}&amp;at=${day.date}T${time}"
      >${format.time(from)} ${DAY_WORDS[language].free}</a
    >
  </li>`;
}
