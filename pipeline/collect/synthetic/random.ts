/**
 * Seeded random numbers for demonstration series. Every number is made with 32-bit integer steps, + − × ÷ and the
 * square root only: operations whose result the language fixes to the last bit. So the same seed gives the same bytes
 * on every machine, which `Math.exp`, `Math.log` and `Math.sin` do not promise. Not for secrets.
 */

export interface Stream {
  /** In [0, 1). */
  uniform(): number;
  /** Mean 0, variance 1, within ±4.3: a centred sum of six uniforms, so that no tail needs a logarithm. */
  normal(): number;
}

export function streamOf(seed: number, name: string): Stream {
  let state = scramble(hashText(name) ^ Math.imul(seed, 0x9e3779b1));
  const bits = () => {
    state = (state + 0x6d2b79f5) | 0;
    return scramble(state) >>> 0;
  };
  const uniform = () => bits() / 4_294_967_296;
  const normal = () => {
    let sum = 0;
    for (let pair = 0; pair < 3; pair++) {
      const drawn = bits();
      sum += (drawn >>> 16) + (drawn & 0xffff);
    }
    return (sum / 65_536 - MEAN_OF_SIX) * SIX_UNIFORMS_TO_UNIT_VARIANCE;
  };
  return { uniform, normal };
}

/** One fixed number in [0, 1) for a seed and a name. */
export function draw(seed: number, name: string): number {
  return streamOf(seed, name).uniform();
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Six halves of 16 bits, each k/65536. */
const MEAN_OF_SIX = (6 * 65_535) / (2 * 65_536);
const SIX_UNIFORMS_TO_UNIT_VARIANCE = Math.sqrt(2);

/** FNV-1a over UTF-16 units. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

function scramble(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
