/**
 * Bytes to text. The declared encoding, else strict UTF-8, else CP949 where every byte fits it; never a replacement
 * character. Binary (a NUL byte, so UTF-16 too) and empty payloads are PAYLOAD_UNREADABLE.
 */
import { isUtf8 } from "node:buffer";
import iconv from "iconv-lite";
import { AssayError } from "../domain/outcome.ts";
import type { SourceVersion } from "../schema/evidence.ts";

export type Encoding = SourceVersion["encoding"];
const REPLACEMENT = "\uFFFD";
const BOM = "\uFEFF";

/** The encoding of a payload, or null when it cannot be read at all. */
export function detectEncoding(bytes: Uint8Array, declared: Encoding | undefined): Encoding | null {
  if (bytes.length === 0 || bytes.includes(0)) return null;
  if (declared !== undefined) return isReadable(bytes, declared) ? declared : null;
  if (isUtf8(bytes)) return "utf-8";
  return isReadable(bytes, "cp949") ? "cp949" : null;
}

/** Text without a byte order mark. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  if (bytes.length === 0) throw unreadable("the file is empty");
  if (bytes.includes(0)) throw unreadable("the file is binary: it holds NUL bytes (UTF-16 is not read; save as UTF-8)");
  if (encoding === "utf-8" && !isUtf8(bytes)) throw unreadable("bytes that are not UTF-8");
  const text = toText(bytes, encoding);
  if (encoding !== "utf-8" && text.includes(REPLACEMENT)) throw unreadable(`bytes that are not ${encoding}`);
  return text.startsWith(BOM) ? text.slice(1) : text;
}

export function unreadable(detail: string): AssayError {
  return new AssayError("PAYLOAD_UNREADABLE", detail, {
    hint: "open the file, and compare it with the source's contract in batch.yaml (columns, encoding)",
  });
}

function isReadable(bytes: Uint8Array, encoding: Encoding): boolean {
  return encoding === "utf-8" ? isUtf8(bytes) : !toText(bytes, encoding).includes(REPLACEMENT);
}

function toText(bytes: Uint8Array, encoding: Encoding): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return encoding === "utf-8" ? buffer.toString("utf8") : iconv.decode(buffer, encoding, { stripBOM: false });
}
