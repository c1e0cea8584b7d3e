import { isRightToLeft } from '../text/isolated-text.ts';
import { mailHtml } from '../text/mail-html.ts';

/** What a mail to a patient says, in the order in which it is read. */
export interface PatientMailContent {
  language: 'en' | 'pt';
  subject: string;
  clinic: string;
  title: string;
  paragraphs: readonly string[];
  facts: readonly (readonly [label: string, value: string])[];
  button: { label: string; url: string };
  /** Small print. */
  footer: readonly string[];
}

/** The mail as plain text and as HTML. */
export function layOut(content: PatientMailContent): { subject: string; text: string; html: string } {
  return { subject: content.subject, text: plainText(content), html: htmlOf(content) };
}

function plainText({ clinic, title, paragraphs, facts, button, footer }: PatientMailContent): string {
  const lines = facts.map(([label, value]) => `${label}: ${value}`);
  const parts = [clinic, title, ...paragraphs, lines.join('\n'), `${button.label}:\n${button.url}`];
  return `${[...parts, '-- ', footer.join('\n\n')].join('\n\n')}\n`;
}

const FONT = 'font-family:Arial,Helvetica,sans-serif';
const INK = `${FONT};color:#1c2733`;
const SOFT = `${FONT};color:#51606e`;

/**
 * Tables and inline styles, because Outlook lays out a page like Word, and Gmail removes style sheets. Without pictures
 * or anything that loads, so opening the mail tells the sender nothing.
 */
function htmlOf({ language, subject, clinic, title, paragraphs, facts, button, footer }: PatientMailContent) {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${mailHtml(subject)}</title>
</head>
<body style="margin:0;padding:0;background-color:#f2f4f6">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#f2f4f6">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:560px;text-align:left">
<tr><td style="padding:24px 24px 0;${SOFT};font-size:15px;line-height:22px">${inDirection(clinic)}</td></tr>
<tr><td style="padding:4px 24px 0"><h1 style="margin:0;${INK};font-size:22px;line-height:30px">${mailHtml(title)}</h1></td></tr>
<tr><td style="padding:0 24px">${paragraphs.map((text) => paragraph(text, INK, 16)).join('\n')}</td></tr>
<tr><td style="padding:16px 24px 0">
<table cellpadding="0" cellspacing="0" border="0">
${facts.map(fact).join('\n')}
</table>
</td></tr>
<tr><td style="padding:24px 24px 0">
<table role="presentation" cellpadding="0" cellspacing="0" border="0">
<tr><td bgcolor="#1f5c99" style="padding:12px 20px"><a href="${mailHtml(button.url)}" style="${FONT};font-size:16px;line-height:20px;color:#ffffff;text-decoration:none;font-weight:bold">${mailHtml(button.label)}</a></td></tr>
</table>
</td></tr>
<tr><td style="padding:8px 24px 24px">${footer.map((text) => paragraph(text, SOFT, 14)).join('\n')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function paragraph(text: string, style: string, size: number): string {
  return `<p style="margin:16px 0 0;${style};font-size:${size}px;line-height:${size + 8}px">${mailHtml(text)}</p>`;
}

function fact([label, value]: readonly [string, string]): string {
  const cell = 'padding:0 16px 8px 0;font-size:16px;line-height:24px;vertical-align:top;text-align:left';
  return `<tr><th scope="row" align="left" valign="top" style="${cell};${SOFT};font-weight:normal">${mailHtml(label)}</th><td valign="top" style="${cell};${INK}">${inDirection(value)}</td></tr>`;
}

/** A text that stands alone takes the direction of its script. */
function inDirection(text: string): string {
  return isRightToLeft(text) ? `<span dir="auto">${mailHtml(text)}</span>` : mailHtml(text);
}
