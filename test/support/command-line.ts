import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobStore } from '../../src/adapters/blob-store.ts';
import type { Dependencies } from '../../src/cli/dependencies.ts';
import { runProgram } from '../../src/cli/run-program.ts';
import type { Key, Terminal } from '../../src/cli/terminal.ts';
import { plainPalette } from '../../src/report/layout/palette.ts';
import { dataHomeAt, type DataHome } from '../../src/services/data-home/data-home.ts';
import { FakeEngine } from './fake-engine.ts';
import { startedAt } from './lock-builder.ts';

/** What one command line printed. */
export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly errors: string;
  /** Both streams in order, narration behind a bar, as golden transcripts show it. */
  readonly transcript: string;
}

/** The command line in process, over a temporary data home, a fake engine and a clock that only sleeping moves. */
export class CommandLine {
  readonly directory: string;
  readonly home: DataHome;
  readonly engine: FakeEngine;
  readonly dependencies: Dependencies;
  /** Frames drawn in place; only with `live`. */
  readonly frames: string[] = [];
  now = startedAt + 60_000;
  /** Number of sleeps after which Ctrl-C is pressed. */
  interruptAfter = Number.POSITIVE_INFINITY;
  /** Keys pressed during each sleep; null where nobody can press one. */
  keys: readonly (readonly string[])[] | null = null;
  /** Whether the keyboard is heard now. */
  listening = false;
  private press: ((key: Key) => void) | null = null;
  private readonly live: boolean;
  private interrupt: (() => void) | null = null;
  private sleeps = 0;

  constructor(changes: Partial<Dependencies> = {}, { live = false, up = true } = {}) {
    this.directory = mkdtempSync(join(tmpdir(), 'anneal-cli-'));
    this.home = dataHomeAt(join(this.directory, '.anneal'));
    this.engine = new FakeEngine(this.home, up);
    this.live = live;
    this.dependencies = {
      environment: {},
      workingDirectory: this.directory,
      version: '0.1.0',
      demoFile: '/package/experiments/demo.yaml',
      clock: () => this.now,
      sleep: async (milliseconds) => {
        this.now += milliseconds;
        this.sleeps += 1;
        if (this.sleeps >= this.interruptAfter) this.interrupt?.();
        for (const key of this.keys?.[this.sleeps - 1] ?? []) this.press?.({ name: key, ctrl: false });
      },
      interruptible: async (run) => {
        const controller = new AbortController();
        this.interrupt = () => controller.abort();
        return run(controller.signal, this.interrupt);
      },
      createEngine: async () => this.engine,
      freeze: missing('freeze'),
      preview: missing('preview'),
      ledger: async () => null,
      diff: missing('diff'),
      readBlob: missing('readBlob'),
      blobPath: (home, digest) => new BlobStore(home.blobs).path(digest),
      attemptLedger: async () => null,
      audit: missing('audit'),
      doctor: missing('doctor'),
      doctorLive: missing('doctorLive'),
      auditTasks: missing('auditTasks'),
      importOfficeBench: missing('importOfficeBench'),
      ...changes,
    };
  }

  run(line: string, columns = 100): Promise<Ran> {
    return this.runWords(line.split(' ').filter(Boolean), columns);
  }

  /** The same, a word with blanks or none in it among them. */
  async runWords(words: readonly string[], columns = 100): Promise<Ran> {
    const written: { readonly stream: 'out' | 'error'; readonly text: string }[] = [];
    const terminal: Terminal = {
      print: (text) => void written.push({ stream: 'out', text }),
      narrate: (text) => void written.push({ stream: 'error', text }),
      live: this.live ? { draw: (text) => void this.frames.push(text), end: () => undefined } : null,
      keyboard: this.live && this.keys !== null ? { listen: (press) => this.listen(press) } : null,
      palette: plainPalette,
      narrationPalette: plainPalette,
      columns,
    };
    const exit = await runProgram(words, terminal, this.dependencies);
    const textOf = (stream: string): string =>
      this.normalise(
        written
          .filter((entry) => entry.stream === stream)
          .map(({ text }) => `${text}\n`)
          .join(''),
      );
    const lines = written.flatMap(({ stream, text }) =>
      text.split('\n').map((each) => (stream === 'out' ? each : `| ${each}`.trimEnd())),
    );
    const transcript = [['$ anneal', ...words].join(' '), ...lines, `(exit ${exit})`, ''].join('\n');
    return { exit, out: textOf('out'), errors: textOf('error'), transcript: this.normalise(transcript) };
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private listen(press: (key: Key) => void): () => void {
    this.press = press;
    this.listening = true;
    return () => {
      this.listening = false;
    };
  }

  private normalise(text: string): string {
    return text.replaceAll(this.directory, 'FOLDER');
  }
}

function missing(name: string): () => never {
  return () => {
    throw new Error(`this test gives no ${name}`);
  };
}
