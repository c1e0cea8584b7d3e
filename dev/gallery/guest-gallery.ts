import { facts, notice } from '../../dashboard/layout/components.ts';
import { field } from '../../dashboard/layout/form.ts';
import { document } from '../../dashboard/layout/frame.ts';
import type { View } from '../../dashboard/layout/view.ts';
import { html, type Html } from '../../pages/html.ts';

/** What the pages are made of where patients book. */
export function guestGallery({ language, assets }: View): Html {
  return document(
    { title: 'Components of the public page', language, assets },
    html`<main id="main" class="guest">
      <p class="clinic"><a href="#elsewhere">Clínica da Luz</a></p>
      <h1>Components of the public page</h1>
      ${notice('good', 'It is booked.')} ${notice('bad', 'Somebody was quicker.')}
      <h2>Offers</h2>
      <ul class="offers">
        <li>
          <a href="#elsewhere"><strong>Check-up</strong> 30 minutes, €50.00</a>
        </li>
        <li>
          <a href="#elsewhere"
            ><strong>A service with a name that needs two lines on a phone</strong> 1 hour</a
          >
        </li>
      </ul>
      <p class="chosen"><strong>Check-up</strong> <a href="#elsewhere">Choose another</a></p>
      <p class="days">
        <a class="button second" href="#elsewhere">← The day before</a>
        <a class="button second" href="#elsewhere">The day after →</a>
      </p>
      ${timesForm()}
      <div class="card">
        ${facts([
          ['When', 'Thursday 5 March 2026, 10:30'],
          ['With', 'Dr Rui Costa'],
        ])}
        <p><a href="#elsewhere">Into the calendar</a></p>
      </div>
      <footer>Rua da Luz 1, Lisboa</footer>
    </main>`,
  );
}

function timesForm(): Html {
  return html`<form action="#elsewhere">
    <h3>Morning</h3>
    <div class="times">
      ${['9:00', '9:30', '10:00', '10:30', '11:00'].map((time) => html`<button class="second">${time}</button>`)}
    </div>
    ${field({ name: 'name', label: 'Your name', isRequired: true })}
    ${field({ name: 'phone', label: 'Your phone', type: 'tel', error: 'This is no phone number.' })}
    <p class="actions"><button>Book</button></p>
  </form>`;
}
