import type { GatewayPort } from '../src/contract/gateway-port.ts';
import type { BlobPort, ExperimentPort, HarnessRepositoryPort } from '../src/contract/ports.ts';
import type { SandboxPort } from '../src/contract/sandbox-port.ts';
import type { DeriveFunction } from '../src/updaters/derive-function.ts';
import type { PromptTemplate } from '../src/updaters/prompts/prompt-template.ts';

/** Host folders that jails are given, read-only. */
export interface JailSources {
  /** Python environment with the office libraries. */
  readonly solver: string;
  /** Python environment with mini-swe-agent. */
  readonly runner: string;
  /** Trusted runner code. */
  readonly runnerCode: string;
  readonly judges: string;
}

/** Everything an activity touches; nothing is constructed inside one. */
export interface ActivityDependencies {
  readonly gateway: GatewayPort;
  readonly blobs: BlobPort;
  readonly repository: HarnessRepositoryPort;
  readonly experiments: ExperimentPort;
  readonly sandbox: SandboxPort;
  readonly jails: JailSources;
  readonly promptTemplates: Readonly<Record<string, PromptTemplate>>;
  readonly deriveFunctions: Readonly<Record<string, DeriveFunction>>;
  /** Posts one numbered chat completion to a lease's socket. */
  readonly callLease: CallLease;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** One numbered call on a lease's socket; waits while the gateway is away. Any status is a value. */
export type CallLease = (request: {
  readonly socket: string;
  readonly token: string;
  readonly call: number;
  readonly body: unknown;
  readonly signal: AbortSignal;
}) => Promise<{ readonly status: number; readonly body: unknown }>;
