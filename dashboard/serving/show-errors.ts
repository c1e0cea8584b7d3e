import type { Next } from 'koa';
import type { Logger } from '../../adapters/logs/logger.ts';
import { isPassingFailure } from '../../db/connection/database-errors.ts';
import { ERROR_STATUS, type ErrorCode } from '../../domain/error-codes.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { html } from '../../pages/html.ts';
import type { Answering } from './answering.ts';
import { errorText, ERROR_WORDS } from '../layout/error-words.ts';
import { PageForbiddenError } from './page-error.ts';
import type { DashboardContext } from './state.ts';

/** Turns every error into a page. Unexpected errors are logged and reveal nothing. */
export function showErrors(answering: Answering, logger: Logger) {
  return async (ctx: DashboardContext, next: Next): Promise<void> => {
    try {
      await next();
      if (ctx.status === 404 && !ctx.body) throw new ServiceError('not_found', 'This page does not exist.');
    } catch (error) {
      const { requestId, route, isGuest } = ctx.state;
      const words = ERROR_WORDS[answering.languageOf(ctx)];
      const { status, title } =
        error instanceof PageForbiddenError
          ? { status: 403, title: words.forbidden[error.reason] }
          : { status: ERROR_STATUS[codeOf(error)], title: errorText(words, codeOf(error)) };
      if (status === 500) logger.error({ requestId, method: ctx.method, route, err: error }, 'page.failed');
      if (error instanceof ServiceError) ctx.set(error.details.headers ?? {});
      const body = html`<p class="soft">${words.request} <code>${requestId}</code></p>
        ${!isGuest && html`<p><a class="button" href="/">${words.back}</a></p>`}`;
      answering.plain(ctx, { title, body, status });
    }
  };
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ServiceError) return error.code;
  return isPassingFailure(error) ? 'temporarily_unavailable' : 'internal_error';
}
