import {
  copyable,
  badge,
  facts,
  instant,
  nextPage,
  notice,
  shortId,
  table,
  type Tone,
} from '../../dashboard/layout/components.ts';
import { choice, field, longField, tickBox, tickBoxes } from '../../dashboard/layout/form.ts';
import { chips, searchField } from '../../dashboard/layout/narrowing.ts';
import type { View } from '../../dashboard/layout/view.ts';
import type { Page } from '../../dashboard/serving/page-request.ts';
import { APPOINTMENT_WORDS } from '../../dashboard/appointments/words.ts';
import { html, type Html } from '../../pages/html.ts';
import { SPACES, TYPE } from '../../pages/styles.ts';

const TONES: readonly Tone[] = ['good', 'waiting', 'bad', 'idle'];
const STATES = ['confirmed', 'attended', 'late', 'seen', 'no_show', 'cancelled'] as const;
const OPTIONS = ['one', 'two', 'three'].map((value) => ({ value, label: value }));
const HINT = 'A hint says what is meant.';
const ERROR = 'An error says what to fix.';
const LONG = 'A name that is much longer than anyone would have thought, and goes on nevertheless';

/** The page with every component of the dashboard in each of its states. */
export function galleryPage(view: View): Page {
  const parts = {
    'The scale': scalePart(view),
    Text: textPart(view),
    Buttons: buttonsPart(),
    Fields: fieldsPart(),
    'How things stand': statesPart(),
  };
  const lists = {
    'What narrows a list': narrowingPart(),
    Tables: tablesPart(view),
    'Names and values': factsPart(view),
  };
  const body = Object.entries({ ...parts, ...lists, 'Course of things': coursePart(view) });
  return {
    title: 'Components',
    body: html`${body.map(
      ([title, part]) =>
        html`<h2>${title}</h2>
          ${part}`,
    )}`,
  };
}

/** What all styles are made of: pages/styles.ts and pages/styles/tokens.css. */
function scalePart({ language }: View): Html {
  const { statuses } = APPOINTMENT_WORDS[language];
  return html`${facts([
      ['Spaces', SPACES.join(', ')],
      ['Type', TYPE.join(', ')],
      ['Trouble, and nothing else', html`${badge('waiting', 'amber')} ${badge('bad', 'red')}`],
    ])}
    <p>${STATES.map((state) => html`${badge(state, statuses[state])} `)}</p>
    <p>A page has one main button. A dangerous one is apart from the others, in a box.</p>`;
}

function textPart(view: View): Html {
  return html`<p>
      A paragraph with <strong>what matters</strong>, <a href="#elsewhere">a link</a>, some
      <code>code</code> and <span class="soft">what is said softly</span>.
    </p>
    <h3>A heading of the third rank</h3>
    <p class="under">Under something.</p>
    ${copyable(view, 'curl https://api.example.com/v1/appointments')} ${shortId(view, view.session.sessionId)}
    <pre
      tabindex="0"
    ><code>{ "a": "long line of code that does not fit a phone and scrolls inside itself" }</code></pre>
    <details>
      <summary>What is folded</summary>
      <p>And unfolds.</p>
    </details>`;
}

function buttonsPart(): Html {
  return html`<p class="actions">
      <button>Main</button>
      <button class="second">Second</button>
      <button class="danger">Danger</button>
      <a class="button" href="#elsewhere">A link</a>
      <a class="button second" href="#elsewhere">A second link</a>
      <button class="link">As a link</button>
    </p>
    <p class="actions"><button>${LONG}</button> <a href="#elsewhere">Beside it</a></p>`;
}

/** All form fields: empty, filled in, and with an error. */
function fieldsPart(): Html {
  const of = (name: string) => ({ name, label: `A ${name}` });
  return html`<form action="#elsewhere">
    ${field({ ...of('text'), hint: HINT })}
    ${field({ ...of('mistake'), value: 'wrong', hint: HINT, error: ERROR })}
    ${field({ ...of('date'), type: 'date', value: '2026-03-05', isRequired: true })}
    ${field({ ...of('moment'), type: 'datetime-local', value: '2026-03-05T10:30' })}
    ${field({ ...of('number'), type: 'number', value: '30' })}
    ${choice({ ...of('list'), options: OPTIONS, value: 'two' })}
    ${longField({ ...of('long text'), name: 'long', value: 'Two\nlines' })}
    ${tickBox({ ...of('box'), value: 'yes', hint: HINT })}
    ${tickBox({ ...of('wrong box'), name: 'bad', error: ERROR })}
    ${tickBoxes({ ...of('choice of several'), name: 'several', value: 'one\nthree', options: OPTIONS })}
    <fieldset>
      <legend>A choice of one</legend>
      <div class="times">
        ${['9:00', '9:30', '10:00'].map(
          (time, at) =>
            html`<label class="choice"
              ><input type="radio" name="time" ${at === 1 && html`checked`} /> ${time}</label
            >`,
        )}
      </div>
    </fieldset>
    <div class="filters">
      ${field({ ...of('filter'), type: 'date' })}
      ${choice({ ...of('list beside'), name: 'beside', options: OPTIONS })}
      <p class="actions"><button class="second">Show</button> <a href="#elsewhere">All</a></p>
    </div>
  </form>`;
}

function statesPart(): Html {
  return html`<p>
      ${TONES.map((tone) => html`${badge(tone, tone)} `)} ${badge('bad', 'Disabled after failing')}
    </p>
    ${TONES.map((tone) => notice(tone, html`<p>Something is ${tone}. <a href="#elsewhere">Look at it</a></p>`))}
    <p class="empty">There is nothing yet. <a href="#elsewhere">Make one</a></p>
    <div class="cards">
      <div class="card">
        <h3>A card</h3>
        <p class="figure">1,204</p>
      </div>
      <div class="card">
        <h3>${LONG}</h3>
        <p>Text.</p>
      </div>
    </div>`;
}

function narrowingPart(): Html {
  const query = new URLSearchParams({ q: 'PMS-77' });
  const chip = (words: string, isChosen = false) => ({ words, isChosen, address: '#elsewhere' });
  return html`${searchField({ action: '/', query, label: 'Find', hint: 'By a number.', button: 'Find' })}
    <div class="narrowing">
      ${chips('State', [chip('Chosen', true), chip('Another'), chip(LONG)])} ${chips('When', [chip('Today')])}
    </div>`;
}

function tablesPart({ format, now }: View): Html {
  const row = (name: string, tone: Tone) => ({
    cells: [
      html`<a href="#elsewhere">${name}</a> <span class="under">under it</span>`,
      badge(tone, tone),
      instant(now, format.dateTime(now)),
      html`<button class="link">Do it</button>`,
    ],
  });
  const heads = ['Name', 'State', 'When', ''];
  const rows = [row('One', 'good'), row(LONG, 'bad')];
  return html`${table({ caption: 'Some rows', heads, rows, empty: '' })}
  ${nextPage(new URLSearchParams(), 'cursor', 'Older ones')}
  ${table({ caption: 'No rows', heads, rows: [], empty: 'Nothing is like that.' })}`;
}

function factsPart({ format, now }: View): Html {
  return facts([
    ['When', instant(now, format.dateTime(now))],
    ['Address', html`<code>https://a-receiver-with-a-long-name.example.com/hook/of/many/parts</code>`],
    ['Nothing', '–'],
  ]);
}

function coursePart({ format, now }: View): Html {
  const line = (what: string, tone: Tone) =>
    html`<li>${instant(now, format.dateTime(now))}<br />${what} ${badge(tone, tone)}</li>`;
  return html`<ol class="timeline">
      ${line('Booked', 'idle')} ${line('Delivered', 'good')}
    </ol>
    <ol class="talk">
      <li class="said theirs"><time>10:30</time> Good morning, I would like a check-up.</li>
      <li class="aside"><time>10:31</time> Looked for free times.</li>
      <li class="tinted good"><time>10:32</time> Booked for Tuesday.</li>
    </ol>`;
}
