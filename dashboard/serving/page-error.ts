/** Why a signed-in person may not see a page. */
export type Forbidden = 'role' | 'link' | 'form';

/** A 403 response: the role or the portal link's key does not allow the page, or the form was forged. */
export class PageForbiddenError extends Error {
  override readonly name = 'PageForbiddenError';
  readonly reason: Forbidden;

  constructor(reason: Forbidden) {
    super(`The page is forbidden: ${reason}`);
    this.reason = reason;
  }
}
