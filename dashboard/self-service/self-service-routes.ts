import { Router } from '@koa/router';
import { findPublicClinic } from '../../db/clinic/find-public-clinic.ts';
import type { Database } from '../../db/connection/open-database.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { AppointmentEntity } from '../../db/entities/appointment.entity.ts';
import { TenantEntity } from '../../db/entities/tenant.entity.ts';
import { timezoneOf } from '../../domain/clinic/business-hours.ts';
import { notFound, ServiceError } from '../../domain/service-error.ts';
import type { Answering } from '../answering.ts';
import { formatFor } from '../language/format.ts';
import type { Reply } from '../page-request.ts';
import { readForm } from '../read-form.ts';
import { localAddress } from '../sign-in/local-address.ts';
import type { DashboardContext, DashboardState } from '../state.ts';
import { calendarFile } from './calendar-file.ts';
import { choosePage } from './choose-pages.ts';
import { bookDetails, detailsPage, type DetailsDependencies } from './details-pages.ts';
import type { Guest } from './guest.ts';
import { findVisit, type Visit } from './visit.ts';
import { cancelPage, cancelVisit, movePage, moveVisit, visitPage } from './visit-pages.ts';

export interface SelfServiceOptions extends DetailsDependencies {
  database: Database;
  answering: Answering;
  dashboardUrl: string;
  now: () => Date;
}

type HandleGuest = (guest: Guest) => Promise<Reply>;
type HandleVisit = (guest: Guest, visit: Visit, address: string) => Promise<Reply>;

/** The pages for patients, who need no session: docs/self-service.md */
export function selfServiceRoutes(options: SelfServiceOptions) {
  const router = new Router<DashboardState>();
  const clinicPage = (method: 'get' | 'post', path: string, handle: HandleGuest) =>
    router[method](`/book/:slug${path}`, (ctx) => serveClinic(ctx, `/book/:slug${path}`, handle, options));
  const patientPage = (method: 'get' | 'post', path: string, handle: HandleVisit) =>
    router[method](`/book/a/:token${path}`, (ctx) =>
      serveVisit(ctx, `/book/a/:token${path}`, handle, options),
    );
  patientPage('get', '', async (guest, visit, address) => visitPage(guest, visit, address));
  patientPage('get', '/cancel', async (guest, visit, address) => cancelPage(guest, visit, address));
  patientPage('post', '/cancel', async (guest, visit, address) => {
    await cancelVisit(guest, visit, options.timings);
    return { to: address };
  });
  patientPage('get', '/move', movePage);
  patientPage('post', '/move', async (guest, visit, address) => {
    const moved = await moveVisit(guest, visit, address, options.timings);
    return 'movedTo' in moved ? { to: `/book/a/${options.links.tokenOf(moved.movedTo)}` } : moved;
  });
  router.get('/book/a/:token/visit.ics', (ctx) => serveCalendar(ctx, options));
  clinicPage('get', '', choosePage);
  clinicPage('get', '/details', (guest) => detailsPage(guest, guest.query));
  clinicPage('post', '/details', (guest) => bookDetails(guest, options));
  return router.routes();
}

async function serveClinic(
  ctx: DashboardContext,
  route: string,
  handle: HandleGuest,
  options: SelfServiceOptions,
): Promise<void> {
  ctx.state.route = route;
  const slug = String(ctx['params']['slug']);
  const clinic = await findPublicClinic(options.database.em(), slug);
  if (!clinic) throw notFound('clinic', slug);
  const guest = await guestOf(ctx, clinic, options);
  send(ctx, await handle(guest), options);
}

async function serveVisit(
  ctx: DashboardContext,
  route: string,
  handle: HandleVisit,
  options: SelfServiceOptions,
): Promise<void> {
  ctx.state.route = route;
  const { guest, visit, address } = await openVisit(ctx, options);
  // Only the page itself is left of what cannot be changed any more.
  const isPlain = ctx.method === 'GET' && ctx.path === address;
  if (visit.state !== 'open' && !isPlain) return options.answering.redirect(ctx, address);
  try {
    send(ctx, await handle(guest, visit, address), options);
  } catch (error) {
    // The clinic was quicker: the page says how the appointment stands now.
    if (!(error instanceof ServiceError && error.code === 'version_mismatch')) throw error;
    options.answering.redirect(ctx, address);
  }
}

async function serveCalendar(ctx: DashboardContext, options: SelfServiceOptions): Promise<void> {
  ctx.state.route = '/book/a/:token/visit.ics';
  const { guest, visit, address } = await openVisit(ctx, options);
  if (visit.state !== 'open') return options.answering.redirect(ctx, address);
  ctx.set('Content-Disposition', 'attachment; filename="visit.ics"');
  ctx.type = 'text/calendar; charset=utf-8';
  ctx.body = calendarFile(visit, guest.clinic, `${options.dashboardUrl}${address}`);
}

/** @throws ServiceError `not_found` for a token that is none, or whose appointment is gone */
async function openVisit(ctx: DashboardContext, options: SelfServiceOptions) {
  const { database, links } = options;
  const token = String(ctx['params']['token']);
  const id = links.appointmentIdIn(token);
  const row = id === null ? null : await database.em().findOne(AppointmentEntity, { id });
  const clinic = row && (await database.em().findOne(TenantEntity, { id: row.tenantId }));
  if (!row || !clinic) throw notFound('page', 'visit');
  const guest = await guestOf(ctx, clinic, options);
  const visit = await findVisit(guest, row.id);
  if (!visit) throw notFound('page', 'visit');
  // Nobody is to find a patient's page by searching.
  ctx.set('X-Robots-Tag', 'noindex');
  return { guest, visit, address: `/book/a/${token}` };
}

async function guestOf(
  ctx: DashboardContext,
  clinic: TenantRow,
  { database, answering, dashboardUrl, now }: SelfServiceOptions,
): Promise<Guest> {
  const language = answering.languageOf(ctx);
  return {
    clinic,
    language,
    format: formatFor(language, timezoneOf(clinic.config)),
    home: `/book/${clinic.publicSlug ?? ''}`,
    query: new URLSearchParams(ctx.querystring),
    form: ctx.method === 'POST' ? await readForm(ctx, dashboardUrl) : new URLSearchParams(),
    context: { requestId: ctx.state.requestId, now: now() },
    ...database.ofClinic(clinic.id),
  };
}

function send(ctx: DashboardContext, reply: Reply, { answering }: SelfServiceOptions): void {
  if ('to' in reply) return answering.redirect(ctx, localAddress(reply.to));
  answering.plain(ctx, reply);
}
