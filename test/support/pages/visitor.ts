/** A browser without a screen: it stores cookies, follows redirects and submits forms. */
export interface Visitor {
  get(address: string, headers?: Record<string, string>): Promise<VisitedPage>;
  /** Submits the form with this action on the last page, with these fields changed. */
  submit(action: string, fields?: Record<string, string>): Promise<VisitedPage>;
  /** Sends any form, as another site or a program could. */
  post(
    address: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<VisitedPage>;
  cookies(): ReadonlyMap<string, string>;
}

export interface VisitedPage {
  status: number;
  url: URL;
  headers: Headers;
  text: string;
}

const MAX_REDIRECTS = 12;

/** @param home the base of relative addresses @param forwardedFor the client's address according to a proxy */
export function createVisitor(home: string, forwardedFor?: string): Visitor {
  const jar = new Map<string, Map<string, string>>();
  let last: VisitedPage | null = null;
  const cookiesOf = (host: string) => {
    const kept = jar.get(host) ?? new Map<string, string>();
    jar.set(host, kept);
    return kept;
  };
  async function visit(address: string, init: RequestInit): Promise<VisitedPage> {
    let url = new URL(address, last?.url ?? home);
    let request = init;
    for (let hop = 0; hop < MAX_REDIRECTS; hop += 1) {
      const cookies = cookiesOf(url.host);
      const headers = new Headers(request.headers);
      if (forwardedFor !== undefined) headers.set('x-forwarded-for', forwardedFor);
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      const response = await fetch(url, { ...request, headers, redirect: 'manual' });
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      const location = response.headers.get('location');
      if (location === null) {
        last = { status: response.status, url, headers: response.headers, text: await response.text() };
        return last;
      }
      await response.body?.cancel();
      url = new URL(location, url);
      // Of a browser, not of one request.
      const language = headers.get('accept-language');
      request = language === null ? {} : { headers: { 'accept-language': language } };
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects from ${address}`);
  }
  const post: Visitor['post'] = (address, fields, headers = {}) =>
    visit(address, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: new URL(address, last?.url ?? home).origin, ...headers },
    });
  return {
    get: (address, headers = {}) => visit(address, { headers }),
    submit: (action, fields = {}) => {
      if (!last) throw new Error('No page has been visited');
      return post(action, formOf(last.text, action, fields));
    },
    post,
    cookies: () => cookiesOf(new URL(home).host),
  };
}

/** Signs in at the local identity provider, which has no passwords, and opens the start page. */
export async function signIn(visitor: Visitor, person: string): Promise<void> {
  const { url } = await visitor.get('/sign-in');
  await visitor.get(`${url.pathname}?person=${person}`);
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const at = pair.indexOf('=');
  const [name, value] = [pair.slice(0, at).trim(), pair.slice(at + 1)];
  if (value === '' || attributes.some((each) => each.trim().toLowerCase() === 'max-age=0'))
    cookies.delete(name);
  else cookies.set(name, value);
}

/** What a browser submits for the form with this action, with these fields changed. */
export function formOf(
  text: string,
  action: string,
  fields: Record<string, string> = {},
): Record<string, string> {
  return { ...fieldsOf(text, action), ...fields };
}

/** What a browser would send of the form: hidden fields, texts, chosen options and ticked boxes. */
function fieldsOf(text: string, action: string): Record<string, string> {
  const form = [...text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].find(([, attributes = '']) =>
    attributes.includes(`action="${action}"`),
  );
  if (!form) throw new Error(`There is no form with the action ${action}`);
  const fields: Record<string, string> = {};
  for (const [, attributes = ''] of (form[2] ?? '').matchAll(/<input\b([^>]*)>/g)) {
    const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
    const isLeftOut = ['checkbox', 'radio'].includes(read('type') ?? '') && !/\bchecked\b/.test(attributes);
    const name = read('name');
    if (name !== undefined && !isLeftOut) fields[name] = unescaped(read('value') ?? '');
  }
  for (const [, name = '', options = ''] of (form[2] ?? '').matchAll(
    /<select\b[^>]*\bname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  )) {
    const values = [...options.matchAll(/<option\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
    const chosen = values.find((attributes) => /\bselected\b/.test(attributes)) ?? values[0] ?? '';
    fields[name] = unescaped(/\bvalue="([^"]*)"/.exec(chosen)?.[1] ?? '');
  }
  for (const [, name = '', value = ''] of (form[2] ?? '').matchAll(
    /<textarea\b[^>]*\bname="([^"]*)"[^>]*>([\s\S]*?)<\/textarea>/g,
  ))
    fields[name] = unescaped(value);
  return fields;
}

function unescaped(text: string): string {
  const meanings: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_whole, name: string) => meanings[name] ?? '');
}
