import { Readable } from 'node:stream';
import { plainPage } from '../layout/frame.ts';
import { chooseLanguage, type Language } from '../language/language.ts';
import type { Download, Page } from './page-request.ts';
import type { Cookies } from '../sign-in/cookies.ts';
import type { DashboardContext } from './state.ts';

/** Sends responses that need no session. */
export interface Answering {
  languageOf(ctx: DashboardContext): Language;
  plain(ctx: DashboardContext, page: Page): void;
  /** A GET redirect to our address or the identity provider's. */
  redirect(ctx: DashboardContext, address: string): void;
  html(ctx: DashboardContext, status: number, text: string): void;
  /** A download with a file name. */
  file(ctx: DashboardContext, file: Download): void;
}

export function createAnswering(cookies: Cookies, assets: string): Answering {
  const languageOf = (ctx: DashboardContext) =>
    chooseLanguage(cookies.readLanguage(ctx), ctx.acceptsLanguages());
  const answer: Answering = {
    languageOf,
    plain: (ctx, page) =>
      answer.html(ctx, page.status ?? 200, String(plainPage(page, { language: languageOf(ctx), assets }))),
    redirect: (ctx, address) => {
      ctx.status = 303;
      ctx.set('Location', address);
    },
    html: (ctx, status, text) => {
      ctx.status = status;
      ctx.type = 'text/html; charset=utf-8';
      ctx.body = text;
    },
    file: (ctx, { fileName, type, lines }) => {
      ctx.attachment(fileName);
      ctx.type = type;
      ctx.body = Readable.from(lines);
    },
  };
  return answer;
}
