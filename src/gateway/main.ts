import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readFaultProfile } from '../adapters/fault-profile-file.ts';
import { createGatewayLog } from '../adapters/gateway-log.ts';
import { openLedger } from '../adapters/ledger.ts';
import { readPolicyBook } from '../adapters/policy-book.ts';
import { createProviderSource } from '../adapters/providers/provider-source.ts';
import { createRedactor } from '../adapters/redactor.ts';
import { createTokenCounter } from '../adapters/token-counter.ts';
import { readWorld } from '../adapters/world-file.ts';
import { isAnnealError } from '../domain/errors.ts';
import { locateDataHome } from '../services/data-home/data-home.ts';
import { engineVersion } from '../services/engine-version.ts';
import { packageRoot } from '../services/package-root.ts';
import { simulateTurn } from '../simulated/simulate.ts';
import { createGateway } from './create-gateway.ts';
import { DEFAULT_GATEWAY_POLICY } from './gateway-policy.ts';

/**
 * The gateway process of the data home in `ANNEAL_HOME`, or at the paths of `--ledger FILE --sockets DIR --control SOCKET`.
 * `--back-off-ms N` and `--retry-after-cap-ms N` set the waits between request attempts. Logs to standard error.
 */
async function main(): Promise<void> {
  const given = readArguments(process.argv.slice(2));
  const redactor = createRedactor();
  const log = createGatewayLog(redactor, (line) => process.stderr.write(line));
  const ledger = openLedger(given.ledger);
  const simulated = join(packageRoot, 'src', 'simulated');
  const gateway = createGateway({
    ledger,
    providers: createProviderSource({
      environment: process.env,
      redactor,
      simulatedModel: simulateTurn,
      loadWorld: (name) => readWorld(join(simulated, 'worlds'), name),
      loadFaults: (name) => readFaultProfile(join(simulated, 'faults'), name),
      loadPolicies: readPolicyBook,
    }),
    counter: createTokenCounter(),
    policy: {
      ...DEFAULT_GATEWAY_POLICY,
      backOffMs: given['back-off-ms'],
      retryAfterCapMs: given['retry-after-cap-ms'],
    },
    log,
    clock: Date.now,
    random: Math.random,
    socketBase: given.sockets,
    controlSocket: given.control,
    version: engineVersion(),
  });
  await gateway.start();
  const end = async (): Promise<void> => {
    await gateway.stop();
    ledger.close();
    process.exit(0);
  };
  process.once('SIGTERM', () => void end());
  process.once('SIGINT', () => void end());
}

function readArguments(argv: string[]) {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    args: argv,
    options: {
      ledger: option,
      sockets: option,
      control: option,
      'back-off-ms': option,
      'retry-after-cap-ms': option,
    },
  });
  const home = locateDataHome(process.cwd(), process.env);
  const milliseconds = z.coerce.number().int().nonnegative();
  return z
    .object({
      ledger: z.string().default(home.ledger),
      sockets: z.string().default(home.sockets),
      control: z.string().default(home.controlSocket),
      'back-off-ms': milliseconds.default(DEFAULT_GATEWAY_POLICY.backOffMs),
      'retry-after-cap-ms': milliseconds.default(DEFAULT_GATEWAY_POLICY.retryAfterCapMs),
    })
    .parse(values);
}

main().catch((error: unknown) => {
  process.stderr.write(`${JSON.stringify(isAnnealError(error) ? error : { error: String(error) })}\n`);
  process.exit(isAnnealError(error) ? error.exit : 1);
});
