import { Router, type RouterContext } from '@koa/router';
import type { UnreadBytes } from '../../adapters/connections/unread-bytes.ts';
import type { CommandContext } from '../../commands/command-context.ts';
import type { ReadRecorder } from '../../commands/patient-reads/read-recorder.ts';
import type { LiveSession } from '../../db/people/use-session.ts';
import { timezoneOf } from '../../domain/clinic/hours/business-hours.ts';
import { isForRole, mayUse } from '../../domain/people/roles.ts';
import { notFound } from '../../domain/service-error.ts';
import { isUuid } from '../../domain/row-id.ts';
import { createAnswerOnce, type AnswerOnce } from './answer-once.ts';
import type { Answering } from './answering.ts';
import { formatFor } from '../language/format.ts';
import { framedPage } from '../layout/frame.ts';
import { homeOf } from '../layout/navigation.ts';
import type { View } from '../layout/view.ts';
import { PageForbiddenError } from './page-error.ts';
import type { Answer, PageRequest, PageRoute } from './page-request.ts';
import { answerEndedSession, type EndedSessionOptions } from '../kept-forms/ended-session.ts';
import { keptFormPage, KEPT_FORMS } from '../kept-forms/kept-form-page.ts';
import { requireOwnForm } from './forged-forms.ts';
import { readableFields, readForm } from './read-form.ts';
import { localAddress } from '../sign-in/local-address.ts';
import { createPortalPages } from '../sign-in/portal-pages.ts';
import { sessionOf, createSignInPages, type SignInDependencies } from '../sign-in/sign-in-pages.ts';
import { createSignOutPages } from '../sign-in/sign-out-pages.ts';
import type { DashboardContext, DashboardState } from './state.ts';
import { unreadOf } from '../unread-alerts.ts';

export interface PagesOptions extends SignInDependencies, EndedSessionOptions {
  routes: readonly PageRoute[];
  /** The path of scripts and styles. */
  assets: string;
  reads: ReadRecorder;
  unread: UnreadBytes;
  /** Aborts when the process is about to stop. */
  leaving: AbortSignal;
  /** The address of the guides. */
  apiUrl: string;
}

/** Routes requests to pages. Only the sign-in works without a session. */
export function servePages(options: PagesOptions) {
  const router = new Router<DashboardState>();
  router.get('/health/ready', (ctx) => {
    ctx.state.route = '/health/ready';
    ctx.status = options.leaving.aborted ? 503 : 200;
    ctx.body = { status: options.leaving.aborted ? 'stopping' : 'ready' };
  });
  addSignIn(router, options);
  const answerOnce = createAnswerOnce(options.database);
  for (const route of options.routes) {
    const serve = (ctx: DashboardContext) => servePage(ctx, route, { ...options, answerOnce });
    if (route.method === 'GET') router.get(route.path, serve);
    else router.post(route.path, serve);
  }
  return router.routes();
}

function addSignIn(router: Router<DashboardState>, options: PagesOptions): void {
  const open = (
    method: 'get' | 'post',
    path: string,
    serve: (ctx: RouterContext<DashboardState>) => Promise<void>,
  ) =>
    router[method](path, (ctx) => {
      ctx.state.route = path;
      return serve(ctx);
    });
  const signInPages = createSignInPages(options);
  open('get', '/sign-in', (ctx) => signInPages.begin(ctx));
  open('get', '/signed-in', (ctx) => signInPages.finish(ctx));
  const portalPages = createPortalPages(options);
  open('get', '/portal/:token', async (ctx) => portalPages.show(ctx));
  open('post', '/portal/:token', async (ctx) => {
    await readForm(ctx, options.dashboardUrl);
    await portalPages.open(ctx, ctx.params['token'] ?? '');
  });
  router.get(`${KEPT_FORMS}/:id`, (ctx) => serveKeptForm(ctx, options));
  const signOutPages = createSignOutPages(options);
  open('get', '/signed-out', async (ctx) => signOutPages.signedOut(ctx));
  addFormsOfEveryPage(router, options, signOutPages);
}

function addFormsOfEveryPage(
  router: Router<DashboardState>,
  options: PagesOptions,
  pages: ReturnType<typeof createSignOutPages>,
): void {
  const post = (path: string, handle: HandleForm, withoutSession?: typeof answerEndedSession) =>
    router.post(path, (ctx) => serveForm(ctx, handle, options, withoutSession));
  const signOutAfterEnd = async (ctx: DashboardContext) => {
    await readForm(ctx, options.dashboardUrl);
    await pages.signOut(ctx, null);
  };
  post('/sign-out', (ctx, session) => pages.signOut(ctx, session), signOutAfterEnd);
  post('/sign-out-everywhere', (ctx, session) => pages.signOutEverywhere(ctx, session));
  post('/language', async (ctx, _session, form) => {
    options.cookies.setLanguage(ctx, form.get('language') === 'pt' ? 'pt' : 'en');
    options.answering.redirect(ctx, localAddress(form.get('to')));
  });
}

type HandleForm = (ctx: DashboardContext, session: LiveSession, form: URLSearchParams) => Promise<void>;

/** Handles a form that is on every page, for everyone. */
async function serveForm(
  ctx: DashboardContext,
  handle: HandleForm,
  options: PagesOptions,
  withoutSession = answerEndedSession,
): Promise<void> {
  ctx.state.route = ctx.path;
  const session = await sessionOf(ctx, options);
  if (!session) return withoutSession(ctx, options);
  const form = await readForm(ctx, options.dashboardUrl);
  await requireOwnForm(form, session, options.database.em());
  await handle(ctx, session, form);
}

type Serving = PagesOptions & { answerOnce: AnswerOnce };

async function servePage(ctx: DashboardContext, route: PageRoute, options: Serving): Promise<void> {
  const { answering, answerOnce, dashboardUrl, database } = options;
  ctx.state.route = route.path;
  requireIds(ctx.params as Record<string, string>);
  const session = await sessionOf(ctx, options);
  if (!session) return answerEndedSession(ctx, options);
  if (!mayUse(session, route.may)) {
    // People with another start page are redirected.
    if (route.path === '/') return answering.redirect(ctx, homeOf(session));
    throw new PageForbiddenError(isForRole(session.role, route.may) ? 'link' : 'role');
  }
  const isForm = route.method === 'POST';
  const form = isForm ? await readForm(ctx, dashboardUrl) : new URLSearchParams();
  if (isForm) await requireOwnForm(form, session, database.em());
  const request = requestOf(ctx, session, form, options);
  const handle: PageRoute['handle'] = (own) => route.handle(own);
  await send(ctx, request, await (isForm ? answerOnce(request, handle) : handle(request)), answering);
}

/** Shows the form that someone submitted after the session ended. */
async function serveKeptForm(ctx: DashboardContext, options: PagesOptions): Promise<void> {
  ctx.state.route = `${KEPT_FORMS}/:id`;
  requireIds(ctx.params as Record<string, string>);
  const session = await sessionOf(ctx, options);
  if (!session) return answerEndedSession(ctx, options);
  const request = requestOf(ctx, session, new URLSearchParams(), options);
  await send(ctx, request, await keptFormPage(request, options.cipher), options.answering);
}

async function send(
  ctx: DashboardContext,
  request: PageRequest,
  reply: Answer,
  answering: Answering,
): Promise<void> {
  if ('lines' in reply) return answering.file(ctx, reply);
  if ('away' in reply) return answering.redirect(ctx, reply.away);
  if ('to' in reply) return answering.redirect(ctx, localAddress(reply.to));
  const page = framedPage(reply, request.view, await unreadOf(request));
  answering.html(ctx, reply.status ?? 200, String(page));
}

/** Refuses malformed ids, which match nothing. */
function requireIds(path: Readonly<Record<string, string>>): void {
  for (const id of Object.values(path)) if (!isUuid(id)) throw notFound('page', id);
}

function requestOf(
  ctx: DashboardContext,
  session: LiveSession,
  form: URLSearchParams,
  { database, answering, reads, unread, assets, apiUrl, now }: PagesOptions,
): PageRequest {
  unread.requireRoom(session.tenantId);
  ctx.state.clinicId = session.tenantId;
  const at = now();
  const language = answering.languageOf(ctx);
  const view: View = {
    language,
    format: formatFor(language, {
      zone: timezoneOf(session.clinicConfig ?? {}),
      country: session.clinicCountry ?? 'PT',
    }),
    session,
    address: ctx.originalUrl,
    assets,
    guides: `${apiUrl}/docs`,
    now: at,
  };
  return {
    session,
    view,
    form,
    query: readableFields(ctx.querystring),
    id: (ctx.params as Record<string, string>)['id'] ?? '',
    context: { ...doerOf(session), requestId: ctx.state.requestId, now: at },
    reads,
    ...(session.tenantId === null ? database.ofSupport() : database.ofClinic(session.tenantId)),
  };
}

function doerOf({
  personId,
  portalLinkId,
  apiKeyId,
}: LiveSession): Pick<CommandContext, 'actor' | 'linkMadeBy'> {
  if (personId !== null) return { actor: `person:${personId}` };
  return { actor: `portal:${portalLinkId}`, ...(apiKeyId !== null && { linkMadeBy: `key:${apiKeyId}` }) };
}
