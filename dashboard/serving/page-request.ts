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
  /** The response status, such as 422 for an invalid form; 200 by default. */
  status?: number;
  /** More headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  /** The address of the page of the thing whose secret is shown; a repeated form redirects there. */
  secretOf?: string;
}

/** A redirect to another page after a change; the address starts with a slash. */
export interface Redirect {
  to: string;
}

/** A redirect to the API, which has the requested data. */
export interface RedirectAway {
  away: string;
}

/** A download, streamed as it is read. */
export interface Download {
  fileName: string;
  /** The media type. */
  type: string;
  lines: AsyncIterable<string>;
}

export type Reply = Page | Redirect;
/** The possible results of a route. */
export type Answer = Reply | RedirectAway | Download;

/** The input of a page. */
export interface PageRequest extends ClinicDatabase {
  session: LiveSession;
  view: View;
  /** The id in the address; empty when there is none. */
  id: string;
  query: URLSearchParams;
  /** The submitted form; empty when none was sent. */
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

/** The ids of the rows shown. */
export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** A page and its access rule. */
export interface PageRoute {
  method: 'GET' | 'POST';
  /** The path, in the syntax of `@koa/router`. */
  path: string;
  may: Permission;
  handle(request: PageRequest): Promise<Answer>;
}

type ClinicPermission = Exclude<Permission, 'support'>;
type ClinicHandle = (request: ClinicRequest) => Promise<Answer>;

/** A page of the person's clinic; it can read only that clinic's rows. */
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

/** A page of the support desk, for all clinics. */
export function supportPage(
  method: PageRoute['method'],
  path: string,
  handle: PageRoute['handle'],
): PageRoute {
  return { method, path, may: 'support', handle };
}
