import type { CommandContext } from '../../commands/command-context.ts';
import type { ReadRecorder } from '../../commands/patient-reads/read-recorder.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import type { ReadKind } from '../../domain/patient-read.ts';
import type { Permission } from '../../domain/people/roles.ts';
import type { Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';

/** A page to be shown in the frame. */
export interface Page {
  title: string;
  body: Html;
  /** 200 by default; for example 422 for an invalid form. */
  status?: number;
  /** For example `Retry-After`. */
  headers?: Record<string, string>;
  /** The page of the thing whose secret is shown; a repeated form redirects there. */
  secretOf?: string;
}

/** To another page after a change; the address starts with a slash. */
export interface Redirect {
  to: string;
}

/** To the API, which has the requested data. */
export interface RedirectAway {
  away: string;
}

/** A download, streamed as it is read. */
export interface Download {
  fileName: string;
  lines: AsyncIterable<string>;
}

export type Reply = Page | Redirect;
/** The possible results of a route. */
export type Answer = Reply | RedirectAway | Download;

/** The input of a page. */
export interface PageRequest extends ClinicDatabase {
  session: LiveSession;
  view: View;
  /** From the address; empty without one. */
  id: string;
  query: URLSearchParams;
  /** Empty unless a form was sent. */
  form: URLSearchParams;
  context: CommandContext & { requestId: string };
  reads: ReadRecorder;
}

/** A page of one clinic. */
export interface ClinicRequest extends PageRequest {
  tenantId: string;
  /** Records the patients shown in the access log. */
  noteShown: (kind: ReadKind, ids: readonly string[]) => void;
}

/** Of shown rows. */
export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** A page and its access rule. */
export interface PageRoute {
  method: 'GET' | 'POST';
  /** In the syntax of `@koa/router`. */
  path: string;
  may: Permission;
  handle(request: PageRequest): Promise<Answer>;
}

type ClinicPermission = Exclude<Permission, 'support'>;
type ClinicHandle = (request: ClinicRequest) => Promise<Answer>;

/** For pages of the person's clinic; only its rows are in scope. */
export function clinicPage(
  method: PageRoute['method'],
  path: string,
  may: ClinicPermission,
  handle: ClinicHandle,
): PageRoute {
  return {
    method,
    path,
    may,
    handle: (request) => {
      const { tenantId } = request.session;
      if (tenantId === null) throw new TypeError(`${may} needs a clinic, but this session has none`);
      const { reads, context } = request;
      const { actor, requestId } = context;
      const noteShown: ClinicRequest['noteShown'] = (kind, ids) =>
        reads.add({ kind, ids, tenantId, actor, requestId });
      return handle({ ...request, tenantId, noteShown });
    },
  };
}

/** For pages of the support desk, across clinics. */
export function supportPage(
  method: PageRoute['method'],
  path: string,
  handle: PageRoute['handle'],
): PageRoute {
  return { method, path, may: 'support', handle };
}
