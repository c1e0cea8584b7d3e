import { visitFile } from '../../commands/self-service/visit-details.ts';
import { randomUUID } from 'node:crypto';
import { Router } from '@koa/router';
import { clientAddress } from '../../adapters/connections/client-address.ts';
import { findClinicOfVisit, findPublicClinic } from '../../db/clinic/clinic-of-guests.ts';
import type { Database } from '../../db/connection/open-database.ts';
import { countRequest, uncountRequest } from '../../db/requests/rate-limit.ts';
import type { TenantRow } from '../../db/entities/tenant.entity.ts';
import { tenantRules } from '../../domain/clinic/tenant-rules.schema.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { isUuid } from '../../domain/row-id.ts';
import { notFound, ServiceError } from '../../domain/service-error.ts';
import type { Answering } from '../serving/answering.ts';
import { isMadeFrom } from '../edits/version.ts';
import { formatFor } from '../language/format.ts';
import { LANGUAGES } from '../language/language.ts';
import type { Reply } from '../serving/page-request.ts';
import { readableFields, readForm } from '../serving/read-form.ts';
import type { Cookies } from '../sign-in/cookies.ts';
import { localAddress } from '../sign-in/local-address.ts';
import type { DashboardContext, DashboardState } from '../serving/state.ts';
import { guestPage, LANGUAGE } from './guest-page.ts';
import { choosePage } from './choose-pages.ts';
import { bookDetails, type BookingDependencies } from './book-details.ts';
import { holdChosen } from './own-hold.ts';
import { detailsPage } from './details-pages.ts';
import { createPageLimiter, type PageLimiter } from './page-limiter.ts';
import type { Guest } from './guest.ts';
import { findVisit, type Visit } from './visit.ts';
import { cancelVisit, confirmVisit, moveVisit } from './change-visit.ts';
import { cancelPage, limitedPage, movePage, visitPage } from './visit-pages.ts';

export interface SelfServiceOptions extends BookingDependencies {
  /** The database with only the rights that a booking needs. */
  guests: Database;
  answering: Answering;
  cookies: Pick<Cookies, 'readHold' | 'setHold' | 'readBrowser' | 'setBrowser' | 'setLanguage'>;
  /** The path of scripts and styles. */
  assets: string;
  dashboardUrl: string;
  /** Whether this deployment sends mails. */
  sendsMail: boolean;
  /** RATE_LIMITS_DISABLED */
  areLimitsDisabled: boolean;
  /** TRUSTED_PROXY_HOPS */
  trustedHops: number;
  now: () => Date;
}

type HandleGuest = (guest: Guest) => Promise<Reply>;
type HandleVisit = (guest: Guest, visit: Visit, address: string) => Promise<Reply>;

interface Serving extends SelfServiceOptions {
  crowd: PageLimiter;
}

/** The pages for patients, who need no session: docs/self-service.md */
export function selfServiceRoutes(given: SelfServiceOptions) {
  const options = { ...given, crowd: createPageLimiter() };
  const { links } = options;
  const router = new Router<DashboardState>();
  const serve = (method: 'get' | 'post', path: string, handle: (ctx: DashboardContext) => Promise<void>) =>
    router[method](path, async (ctx) => {
      Object.assign(ctx.state, { route: path, isGuest: true });
      if (!isLanguageChosen(ctx, options)) await handle(ctx);
    });
  const patientPage = (method: 'get' | 'post', path: string, handle: HandleVisit) =>
    serve(method, `/book/a/:token${path}`, (ctx) => serveVisit(ctx, handle, options));
  const clinicPage = (method: 'get' | 'post', path: string, handle: HandleGuest) =>
    serve(method, `/book/:slug${path}`, (ctx) => serveClinic(ctx, handle, options));
  // First, because `/book/a/details` of a clinic called `a` must not be read as an appointment; no token is a word.
  clinicPage('get', '', choosePage);
  clinicPage('post', '/hold', holdChosen);
  clinicPage('get', '/details', (guest) => detailsPage(guest, guest.query));
  clinicPage('post', '/details', (guest) => bookDetails(guest, options));
  patientPage('get', '', async (guest, visit, address) => visitPage(guest, visit, address));
  patientPage('post', '/confirm', async (guest, visit, address) => {
    await confirmVisit(guest, visit);
    return { to: address };
  });
  const changePage = (method: 'get' | 'post', path: string, handle: HandleVisit) =>
    patientPage(method, path, async (guest, visit, address) =>
      guest.clinic.publicBookingEnabled ? handle(guest, visit, address) : { to: address },
    );
  changePage('get', '/cancel', async (guest, visit, address) => cancelPage(guest, visit, address));
  changePage('post', '/cancel', async (guest, visit, address) => {
    await cancelVisit(guest, visit);
    return { to: address };
  });
  changePage('get', '/move', movePage);
  changePage('post', '/move', async (guest, visit, address) => {
    const moved = await moveVisit(guest, visit, address);
    return 'movedTo' in moved ? { to: `/book/a/${links.tokenOf(moved.movedTo)}` } : moved;
  });
  serve('get', '/book/a/:token/visit.ics', (ctx) => serveCalendar(ctx, options));
  return router.routes();
}

/** A link of the page's language switch: remembers the language, and leads back to the page. */
function isLanguageChosen(ctx: DashboardContext, { answering, cookies }: SelfServiceOptions): boolean {
  const wish = readableFields(ctx.querystring).get(LANGUAGE);
  const language = LANGUAGES.find((each) => each === wish);
  if (ctx.method !== 'GET' || !language) return false;
  cookies.setLanguage(ctx, language);
  answering.redirect(ctx, localAddress(pageIn(ctx)));
  return true;
}

/** The page's address without a chosen language. */
function pageIn(ctx: DashboardContext): string {
  const query = readableFields(ctx.method === 'GET' ? ctx.querystring : '');
  query.delete(LANGUAGE);
  return query.size === 0 ? ctx.path : `${ctx.path}?${query.toString()}`;
}

async function serveClinic(ctx: DashboardContext, handle: HandleGuest, options: Serving): Promise<void> {
  const slug = String(ctx['params']['slug']).toLowerCase();
  await letIn(ctx, slug, options);
  // Impossible names do not reach the database, which cannot read NUL.
  const isSlug = tenantRules.publicSlug.safeParse(slug).success;
  const clinic = isSlug ? await findPublicClinic(options.guests, slug) : null;
  if (!clinic) throw notFound('clinic', slug);
  const guest = await guestOf(ctx, clinic, options);
  send(ctx, guest, await handle(guest), options);
}

/**
 * Waits until the request may run, before any database query. @param place a clinic's public name or an appointment's
 * id
 */
async function letIn(ctx: DashboardContext, place: string, { crowd, ...options }: Serving): Promise<void> {
  if (!options.areLimitsDisabled) await crowd.letIn(addressOf(ctx, options), place);
}

async function serveVisit(ctx: DashboardContext, handle: HandleVisit, options: Serving): Promise<void> {
  const { guest, visit, address } = await openVisit(ctx, options);
  // When nothing can be changed any more, only the page itself can be opened.
  const isPlain = ctx.method === 'GET' && ctx.path === address;
  const isFixed = visit.state !== 'open' && !isPlain;
  // A form about a replaced appointment does nothing.
  if (isFixed || !isMadeFrom(guest.form, visit.appointment.id))
    return options.answering.redirect(ctx, address);
  try {
    send(ctx, guest, await handle(guest, visit, address), options);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The clinic changed it first: shows the current state.
    if (error.code === 'version_mismatch') return options.answering.redirect(ctx, address);
    if (error.code !== 'rate_limited') throw error;
    send(ctx, guest, limitedPage(guest, visit, address, error.details.headers), options);
  }
}

async function serveCalendar(ctx: DashboardContext, options: Serving): Promise<void> {
  const { guest, visit, address } = await openVisit(ctx, options);
  if (visit.state === 'ended') return options.answering.redirect(ctx, address);
  ctx.set('Content-Disposition', 'attachment; filename="visit.ics"');
  ctx.type = 'text/calendar; charset=utf-8';
  const url = `${options.dashboardUrl}${address}`;
  ctx.body = await guest.read((em) => visitFile(em, guest.clinic, visit, { url }));
}

/** @throws ServiceError `not_found` for an invalid token, or an appointment that is gone */
async function openVisit(ctx: DashboardContext, options: Serving) {
  const { guests, links } = options;
  const token = String(ctx['params']['token']);
  const id = links.appointmentIdIn(token);
  // All guessed tokens share one limit; each valid link has its own.
  await letIn(ctx, id ?? '', options);
  const clinic = id === null ? null : await findClinicOfVisit(guests, id);
  if (id === null || !clinic) throw notFound('page', 'visit');
  const guest = await guestOf(ctx, clinic, options);
  const visit = await findVisit(guest, id);
  if (!visit) throw notFound('page', 'visit');
  // Search engines must not list patients' pages.
  ctx.set('X-Robots-Tag', 'noindex');
  return { guest, visit, address: `/book/a/${token}` };
}

/** The address that limits count; for IPv6 the /56 network, which is what a household gets. */
function addressOf(
  { req }: DashboardContext,
  { trustedHops }: Pick<SelfServiceOptions, 'trustedHops'>,
): string {
  return clientAddress(req, trustedHops, 56);
}

async function guestOf(
  ctx: DashboardContext,
  clinic: TenantRow,
  {
    guests,
    answering,
    cookies,
    dashboardUrl,
    sendsMail,
    areLimitsDisabled,
    trustedHops,
    now,
  }: SelfServiceOptions,
): Promise<Guest> {
  const language = answering.languageOf(ctx);
  const kept = cookies.readBrowser(ctx) ?? '';
  const browser = isUuid(kept) ? kept : randomUUID();
  return {
    clinic,
    language,
    format: formatFor(language, { zone: timezoneOf(clinic.config), country: clinic.country }),
    home: `/book/${clinic.publicSlug ?? ''}`,
    query: readableFields(ctx.querystring),
    form: ctx.method === 'POST' ? await readForm(ctx, dashboardUrl) : new URLSearchParams(),
    context: { requestId: ctx.state.requestId, now: now() },
    heldId: cookies.readHold(ctx),
    keepHold: (id) => cookies.setHold(ctx, id),
    address: addressOf(ctx, { trustedHops }),
    browser,
    keepBrowser: () => cookies.setBrowser(ctx, browser),
    sendsMail,
    isUnlimited: areLimitsDisabled,
    count: (subject, limits) => countRequest(guests.admission(), `self-service:${subject}`, limits),
    uncount: (subject) => uncountRequest(guests.admission(), `self-service:${subject}`),
    ...guests.ofClinic(clinic.id),
  };
}

function send(
  ctx: DashboardContext,
  guest: Guest,
  reply: Reply,
  { answering, assets }: SelfServiceOptions,
): void {
  if ('to' in reply) return answering.redirect(ctx, localAddress(reply.to));
  ctx.set(reply.headers ?? {});
  answering.html(ctx, reply.status ?? 200, String(guestPage(reply, guest, { assets, page: pageIn(ctx) })));
}
