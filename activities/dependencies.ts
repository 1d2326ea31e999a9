import type { GatewayPort } from '../src/contract/gateway-port.ts';
import type { BlobPort, ExperimentPort, HarnessRepositoryPort } from '../src/contract/ports.ts';
import type { SandboxPort } from '../src/contract/sandbox-port.ts';
import type { FrontErrorType } from '../src/schema/call-row.ts';
import type { Program } from '../src/schema/experiment-lock.ts';
import type { Sha256 } from '../src/schema/ids.ts';
import type { Lease } from '../src/schema/lease.ts';
import type { Message, ModelRequest, ModelResponse } from '../src/schema/model-call.ts';
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
  /** Digests of anneal's own programs as they are on disk now. */
  readonly programDigests: Readonly<Record<Program, () => Sha256>>;
  readonly promptTemplates: Readonly<Record<string, PromptTemplate>>;
  readonly deriveFunctions: Readonly<Record<string, DeriveFunction>>;
  readonly callLease: CallLease;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** One numbered call through a lease's own socket; unreachable: ANL-5001, retryable. */
export type CallLease = (
  lease: Lease,
  call: number,
  request: { readonly messages: readonly Message[]; readonly responseFormat?: ModelRequest['responseFormat'] },
  signal?: AbortSignal,
) => Promise<
  | { readonly kind: 'answered'; readonly response: ModelResponse }
  | { readonly kind: 'refused'; readonly type: FrontErrorType; readonly code: string; readonly message: string }
>;
