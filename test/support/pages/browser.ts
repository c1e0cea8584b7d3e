import { existsSync } from 'node:fs';
import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';
import { isErrorCode } from '../../../adapters/error-code.ts';
import { testEnvironment } from '../environment/test-environment.ts';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** A real headless browser: CHROME_PATH, an installed one, or npm's for Linux. */
export async function openBrowser(): Promise<Browser> {
  const installed = process.env['CHROME_PATH'] ?? installedBrowser();
  // Tests run as root in containers, and load only our own pages.
  const args = ['--no-sandbox'];
  return installed === undefined
    ? chromium.launch({ ...(await unpackedBrowser()), args })
    : chromium.launch({ executablePath: installed, args });
}

function installedBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const places = PROGRAMS.flatMap((program) => folders.map((folder) => join(folder, program)));
  return [...places, MAC].find((place) => existsSync(place));
}

/** Unpacked once for this run, with the libraries that a small machine may lack. */
async function unpackedBrowser(): Promise<{ executablePath: string; env: Record<string, string> }> {
  const folder = join(testEnvironment('TEST_DIRECTORY'), 'browser');
  if (!existsSync(folder)) await unpackAs(folder);
  const env = {
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
    HOME: folder,
  };
  return { executablePath: join(folder, 'chromium'), env };
}

/**
 * Another suite may unpack at the same time: the first to finish renames its folder, so that none starts an incomplete
 * browser.
 */
async function unpackAs(folder: string): Promise<void> {
  const unnamed = await mkdtemp(`${folder}-`);
  await unpackInto(unnamed);
  try {
    await rename(unnamed, folder);
  } catch (error) {
    if (!isErrorCode(error, 'ENOTEMPTY')) throw error;
  }
}

/**
 * The package's own configuration expects the fonts of cloud functions; without any, the browser crashes at the first
 * page.
 */
const FONTS_BESIDE_IT = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir></fontconfig>
`;

/** The package unpacks to the directory for temporary files. */
async function unpackInto(folder: string): Promise<void> {
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');
  const files = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
  const before = tmpdir();
  process.env['TMPDIR'] = folder;
  try {
    await Promise.all(files.map((file) => inflate(join(packed, file))));
  } finally {
    process.env['TMPDIR'] = before;
  }
  await writeFile(join(folder, 'fonts/fonts.conf'), FONTS_BESIDE_IT);
}
