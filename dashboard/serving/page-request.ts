import type { CommandContext } from '../../commands/command-context.ts';
import type { ReadRecorder } from '../../commands/patient-reads/read-recorder.ts';
import type { ClinicDatabase } from '../../db/connection/open-database.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import type { ReadKind } from '../../domain/patient-read.ts';
import type { Permission } from '../../domain/people/roles.ts';
import type { Html } from '../../pages/html.ts';
import type { View } from '../layout/view.ts';

/** A page to be put into the frame. */
export interface Page {
  title: string;
  body: Html;
  /** 200 by default, such as 422 for a form to be fixed. */
  status?: number;
  /** Such as `Retry-After`. */
  headers?: Record<string, string>;
  /** Where that is whose secret it shows: a form that is sent twice leads there the second time. */
  secretOf?: string;
}

/** To another page of ours, after a change; its address begins with a slash. */
export interface Redirect {
  to: string;
}

/** To the API, which has what was asked for. */
export interface RedirectAway {
  away: string;
}

/** A file to be saved, sent as it is read. */
export interface Download {
  fileName: string;
  lines: AsyncIterable<string>;
}

export type Reply = Page | Redirect;
/** What a route may answer with. */
export type Answer = Reply | RedirectAway | Download;

/** What a page is made of. */
export interface PageRequest extends ClinicDatabase {
  session: LiveSession;
  view: View;
  /** Of what the address names; empty where it names nothing. */
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
  /** Says which patients are shown, for the log of who read what. */
  noteShown: (kind: ReadKind, ids: readonly string[]) => void;
}

/** Of rows that are shown. */
export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

/** A page and who may see it. */
export interface PageRoute {
  method: 'GET' | 'POST';
  /** As `@koa/router` reads it. */
  path: string;
  may: Permission;
  handle(request: PageRequest): Promise<Answer>;
}

type ClinicPermission = Exclude<Permission, 'support'>;
type ClinicHandle = (request: ClinicRequest) => Promise<Answer>;

/** For a page of the clinic that is signed in to; its rows alone are within reach. */
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
      if (tenantId === null) throw new TypeError(`${may} is of a clinic, and this session has none`);
      const { reads, context } = request;
      const { actor, requestId } = context;
      const noteShown: ClinicRequest['noteShown'] = (kind, ids) =>
        reads.add({ kind, ids, tenantId, actor, requestId });
      return handle({ ...request, tenantId, noteShown });
    },
  };
}

/** For a page of the support desk, across clinics. */
export function supportPage(
  method: PageRoute['method'],
  path: string,
  handle: PageRoute['handle'],
): PageRoute {
  return { method, path, may: 'support', handle };
}
