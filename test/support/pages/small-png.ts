import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture as the browser makes it (8 bits a channel, no transparency, not interlaced), with a third of its bytes. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png);
  const { palette, indexOf } = paletteOf(pixels);
  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      lines[y * (width + 1) + 1 + x] = indexOf(pixels.readUIntBE((y * width + x) * CHANNELS, CHANNELS));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const CHANNELS = 3;
const RGB = 2;
const INDEXED = 3;
const MOST_COLOURS = 256;

/** The colours that there are most of; of the others, which edges of letters have, the nearest of them. */
function paletteOf(pixels: Buffer): { palette: Buffer; indexOf(colour: number): number } {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += CHANNELS) {
    const colour = pixels.readUIntBE(at, CHANNELS);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const common = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, MOST_COLOURS);
  const colours = common.map(([colour]) => colour);
  const known = new Map(colours.map((colour, index) => [colour, index]));
  return {
    palette: Buffer.from(colours.flatMap(channelsOf)),
    indexOf(colour) {
      const index = known.get(colour) ?? nearest(colour, colours);
      known.set(colour, index);
      return index;
    },
  };
}

const channelsOf = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255];

function nearest(colour: number, colours: readonly number[]): number {
  const own = channelsOf(colour);
  const distances = colours.map((other) =>
    channelsOf(other).reduce((sum, channel, at) => sum + (channel - (own[at] ?? 0)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function decode(png: Buffer): { width: number; height: number; pixels: Buffer } {
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') packed.push(data);
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (png[24] !== 8 || png[25] !== RGB || png[28] !== 0) throw new Error('another kind of PNG');
  return { width, height, pixels: unfiltered(inflateSync(Buffer.concat(packed)), width * CHANNELS) };
}

/** Each line says how its bytes were reckoned from those beside and above: https://www.w3.org/TR/png-3/#9Filters */
function unfiltered(lines: Buffer, stride: number): Buffer {
  const height = lines.length / (stride + 1);
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x < CHANNELS ? 0 : (pixels[at - CHANNELS] ?? 0);
      const above = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = x < CHANNELS || y === 0 ? 0 : (pixels[at - stride - CHANNELS] ?? 0);
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0;
      pixels[at] = (lines[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((value) => Math.abs(guess - value));
  if (Number(byLeft) <= Number(byAbove) && Number(byLeft) <= Number(byCorner)) return left;
  return Number(byAbove) <= Number(byCorner) ? above : corner;
}
