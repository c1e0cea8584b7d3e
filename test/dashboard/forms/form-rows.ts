import type { Page } from 'playwright-core';
import type { TestDashboard } from '../../support/pages/dashboard-server.ts';

/** A form of a page, and something for it to change. */
export interface FormAt {
  /** The page's address. */
  page: string;
  /** Where the form goes to. */
  action: string;
}

export interface FormRow {
  by: 'ana' | 'rita' | 'sofia';
  /** A hidden field that tells it from other forms with the same action. */
  holds?: readonly [name: string, value: string];
  /** Makes something of its own to work on. */
  begin(dashboard: TestDashboard): Promise<FormAt>;
  /** What someone types and chooses, differently each time. */
  fill?(page: Page, nr: number): Promise<void>;
  /** Whether what was typed is asked for again, so that pressing the button again makes nothing more. */
  isAskedAgain?: boolean;
  /** Whether the browser fills in what was typed, for those who go back. */
  isFilledInAgain?: boolean;
  /** Whether it only answers. */
  isQuestion?: boolean;
  /** What another person does to the same thing in between. */
  theirs?: ((dashboard: TestDashboard, at: FormAt, page: Page) => Promise<unknown>) | undefined;
  /** What someone changes after the choices were shown, so that they no longer fit. */
  choosesOtherwise?(page: Page): Promise<void>;
  /** Whether those choices are brought up to date where scripts run. */
  isFollowed?: boolean;
}

/** The last part of an address is the id. */
export function idIn({ page }: FormAt): string {
  return /[0-9a-f-]{36}/.exec(page)?.[0] ?? '';
}
