import type { Locator } from 'playwright-core';
import { SEARCH_WORDS } from '../../../dashboard/search/words.ts';
import type { Clicker, Seat } from '../../support/pages/clicker.ts';
import { keep, type Picture } from '../../support/pages/pictures.ts';
import { problemsNow } from '../../support/pages/page-check.ts';

/**
 * Someone who has signed in, whose presses are counted: each of a mouse button or a finger, on a link, a button, a choice
 * or a field alike. What is typed is free, and so are the keys that lead to the next field or send a form.
 */
export interface Hand {
  seat: Seat;
  page: Clicker['page'];
  /** What the task begins with; neither counted nor timed. */
  begins(address: string): Promise<void>;
  press(what: Locator): Promise<void>;
  pressLink(words: string | RegExp): Promise<void>;
  pressButton(words: string): Promise<void>;
  /** Where the cursor stands. */
  type(text: string): Promise<void>;
  key(name: 'Tab' | 'Enter'): Promise<void>;
  /** Waits until it is there, and looks at the page as it then is, which takes no time of the task. */
  sees(words: string | RegExp): Promise<void>;
  /** What is seen now becomes a picture of the documents, where they are made again. */
  keeps(picture: Picture): Promise<void>;
  done(): Done;
}

export interface Done {
  presses: number;
  /** Of the machine: clicks, pages and waiting for them. */
  tookMs: number;
  /** Of every page that was seen. */
  problems: readonly string[];
}

/** Of a page that never comes: no one measures by it. */
const MAX_WAIT_MS = 30_000;

/** Types a question into a search box and sends it. */
export async function search(hand: Hand, box: 'patients' | 'anything', question: string): Promise<void> {
  const { label, button } = SEARCH_WORDS[hand.seat.language][box];
  await hand.press(hand.page.getByRole('searchbox', { name: label }));
  await hand.type(question);
  await hand.pressButton(button);
}

export function countedHand(clicker: Clicker, seat: Seat, home: string): Hand {
  const { page } = clicker;
  page.setDefaultTimeout(MAX_WAIT_MS);
  const problems: string[] = [];
  let presses = 0;
  let tookMs = 0;
  async function timed(act: () => Promise<unknown>): Promise<void> {
    const before = performance.now();
    await act();
    tookMs += performance.now() - before;
  }
  async function press(what: Locator): Promise<void> {
    presses += 1;
    await timed(() => what.click());
  }
  return {
    seat,
    page,
    press,
    begins: async (address) => void (await page.goto(`${home}${address}`)),
    pressLink: (name) => press(page.getByRole('link', { name }).first()),
    pressButton: (name) => press(page.getByRole('button', { name, exact: true }).first()),
    type: (text) => timed(() => page.keyboard.type(text)),
    key: (name) => timed(() => page.keyboard.press(name)),
    async sees(words) {
      await timed(() => clicker.sees(words));
      problems.push(...(await problemsNow(page, seat.hasScripts ?? true)));
    },
    keeps: (picture) => keep(page, seat, picture),
    done: () => ({ presses, tookMs, problems }),
  };
}
