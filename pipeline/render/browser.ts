/**
 * One Chromium with a few pages that turn HTML into a picture of its full height. Scripts of the page do not run and
 * no request leaves it. A page that crashes is opened again, a browser that dies is launched again, and the card is
 * tried once more; a card that exceeds its time is a fault of that card. Writes nothing but a temporary profile.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession, Page, Browser as Puppet } from "puppeteer-core";
import { AssayError } from "../domain/outcome.ts";
import type { LayoutBox } from "../schema/layout.ts";
import { type Chromium, locateChromium } from "./chromium.ts";
import { layoutSource } from "./page-layout.ts";
import { type Measured, measureSource, type Overflow } from "./page-measure.ts";

export type { Measured, Overflow, TextBox } from "./page-measure.ts";

export interface Shot {
  /** As Chromium encodes it: fast and large. */
  png: Buffer;
  height: number;
  overflow: Overflow[];
  /** Every text as drawn, in reading order. */
  boxes: LayoutBox[];
}

export interface Browser {
  /** A picture of the whole page at `width` CSS pixels, one to one. */
  shoot(html: string, options: { width: number }): Promise<Shot>;
  /** The page laid out at each width, measured and not drawn. */
  measure(html: string, widths: number[]): Promise<Measured[]>;
  /** Waits for nothing that is under way: it fails with BROWSER_CLOSED. */
  close(): Promise<void>;
}

export interface BrowserOptions {
  cacheDir: string;
  /** A Chrome or Chromium to use in place of the packed one. */
  chromePath: string | null;
  /** Pages at work at once; 4 unless told. */
  pages?: number;
  /** Wall time for one card; 120,000 unless told: a busy machine is no fault of a card. */
  card_timeout_ms?: number;
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--hide-scrollbars",
  "--font-render-hinting=none",
  // Refused requests never get this far. What is not a request (a preconnect, a name looked up early) ends here.
  "--host-resolver-rules=MAP * ~NOTFOUND",
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
];
/** Past this, Chromium's own surfaces end and a picture would silently lack its foot. */
const MAX_HEIGHT_PX = 16_000;

interface Tab {
  page: Page;
  session: CDPSession;
  frameId: string;
  /** Rejects when the page crashes or the browser goes away. */
  gone: Promise<never>;
}
interface Launched {
  puppet: Puppet;
  profile: string;
}

class TabGone extends Error {}

export async function openBrowser(options: BrowserOptions): Promise<Browser> {
  const chromium = await locateChromium(options);
  const timeout_ms = options.card_timeout_ms ?? 120_000;
  const idle: { tab: Tab | undefined }[] = Array.from({ length: options.pages ?? 4 }, () => ({ tab: undefined }));
  const waiting: { resolve(slot: { tab: Tab | undefined }): void; reject(reason: unknown): void }[] = [];
  let launched: Launched | undefined;
  let launching: Promise<Launched> | undefined;
  let isClosed = false;

  /** Of several pages that find the browser gone, the first launches it and the others wait for that. */
  async function puppet(): Promise<Puppet> {
    if (isClosed) throw closed();
    if (launched?.puppet.connected) return launched.puppet;
    launching ??= relaunch().finally(() => {
      launching = undefined;
    });
    return (await launching).puppet;
  }

  async function relaunch(): Promise<Launched> {
    const before = launched;
    launched = undefined;
    if (before !== undefined) await end(before);
    const made = await launch(chromium);
    if (isClosed) {
      await end(made);
      throw closed();
    }
    launched = made;
    return made;
  }

  async function withTab<T>(work: (tab: Tab) => Promise<T>): Promise<T> {
    if (isClosed) throw closed();
    const slot =
      idle.pop() ??
      (await new Promise<{ tab: Tab | undefined }>((resolve, reject) => waiting.push({ resolve, reject })));
    try {
      return await tryTwice(slot, work);
    } finally {
      const next = waiting.shift();
      if (next === undefined) idle.push(slot);
      else next.resolve(slot);
    }
  }

  async function tryTwice<T>(slot: { tab: Tab | undefined }, work: (tab: Tab) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        slot.tab ??= await openTab(await puppet());
        return await within(timeout_ms, Promise.race([work(slot.tab), slot.tab.gone]));
      } catch (cause) {
        if (isClosed) throw closed();
        if (cause instanceof AssayError && cause.code !== "PAGE_TIMEOUT") throw cause;
        const page = slot.tab?.page;
        slot.tab = undefined;
        // A page that hangs may never answer its own closing.
        await within(1_000, page?.close() ?? Promise.resolve()).catch(() => undefined);
        if (cause instanceof AssayError) throw cause;
        if (attempt === 2) throw new AssayError("PAGE_CRASHED", "the page crashed twice", { retry: "later", cause });
      }
    }
  }

  await puppet();
  return {
    shoot: (html, { width }) => withTab((tab) => shoot(tab, html, width)),
    measure: (html, widths) => withTab((tab) => measure(tab, html, widths)),
    async close() {
      if (isClosed) return;
      isClosed = true;
      for (const waiter of waiting.splice(0)) waiter.reject(closed());
      await launching?.catch(() => undefined);
      if (launched !== undefined) await end(launched);
    },
  };
}

async function launch(chromium: Chromium): Promise<Launched> {
  const { default: puppeteer } = await import("puppeteer-core");
  const profile = await mkdtemp(join(tmpdir(), "assay-chromium-"));
  try {
    const puppet = await puppeteer.launch({
      executablePath: chromium.executable,
      env: chromium.env,
      userDataDir: profile,
      headless: "shell",
      // Over a pipe the browser ends by itself when this program dies, however it dies.
      pipe: true,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 120_000,
      args: FLAGS,
    });
    return { puppet, profile };
  } catch (cause) {
    await rm(profile, { recursive: true, force: true });
    throw new AssayError("BROWSER_LAUNCH", "the browser does not start", {
      retry: "later",
      hint: "run `assay doctor`; CHROME_PATH names another Chrome or Chromium",
      cause,
    });
  }
}

async function end({ puppet, profile }: Launched): Promise<void> {
  const child = puppet.process();
  await within(5_000, puppet.close()).catch(() => child?.kill("SIGKILL"));
  if (child !== null && child.exitCode === null && child.signalCode === null) {
    await within(5_000, new Promise((resolve) => child.once("exit", resolve))).catch(() => undefined);
  }
  await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

async function openTab(puppet: Puppet): Promise<Tab> {
  const page = await puppet.newPage();
  const session = await page.createCDPSession();
  const gone = new Promise<never>((_, reject) => {
    page.once("error", () => reject(new TabGone("the page crashed")));
    page.once("close", () => reject(new TabGone("the page was closed")));
    puppet.once("disconnected", () => reject(new TabGone("the browser went away")));
  });
  // Watched only while a card is at work; a crash in between is met by the next card.
  gone.catch(() => undefined);
  session.on("Fetch.requestPaused", ({ requestId }) => {
    // Aborted, not blocked: a refused navigation must leave the document where it is.
    session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" }).catch(() => undefined);
  });
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*" }] });
  await session.send("Emulation.setScriptExecutionDisabled", { value: true });
  const { frameTree } = await session.send("Page.getFrameTree");
  return { page, session, frameId: frameTree.frame.id, gone };
}

async function layOut(tab: Tab, width: number, height: number): Promise<void> {
  await tab.session.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
}

async function look(tab: Tab, withBoxes: boolean): Promise<Measured> {
  return evaluate(tab, measureSource(withBoxes));
}

async function evaluate<T>(tab: Tab, expression: string): Promise<T> {
  const { result, exceptionDetails } = await tab.session.send("Runtime.evaluate", {
    expression,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) {
    throw new AssayError("PAGE_UNMEASURED", exceptionDetails.exception?.description ?? exceptionDetails.text);
  }
  return result.value as T;
}

async function shoot(tab: Tab, html: string, width: number): Promise<Shot> {
  await layOut(tab, width, 800);
  await tab.session.send("Page.setDocumentContent", { frameId: tab.frameId, html });
  const { height, overflow } = await look(tab, false);
  if (height > MAX_HEIGHT_PX) {
    throw new AssayError("PAGE_TOO_TALL", `the page is ${height} px tall; at most ${MAX_HEIGHT_PX} can be drawn`);
  }
  await layOut(tab, width, height);
  const { data } = await tab.session.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
  const boxes = await evaluate<LayoutBox[]>(tab, layoutSource());
  return { png: Buffer.from(data, "base64"), height, overflow, boxes };
}

async function measure(tab: Tab, html: string, widths: number[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const width of widths) {
    await layOut(tab, width, 800);
    if (measured.length === 0) await tab.session.send("Page.setDocumentContent", { frameId: tab.frameId, html });
    measured.push(await look(tab, true));
  }
  return measured;
}

async function within<T>(timeout_ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AssayError("PAGE_TIMEOUT", `not finished within ${timeout_ms} ms`, { retry: "later" }));
    }, timeout_ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function closed(): AssayError {
  return new AssayError("BROWSER_CLOSED", "the browser was closed");
}
