import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { strongestLevel } from '../support/jail-level.ts';
import { LeaseGateway } from '../support/lease-gateway.ts';

const level = strongestLevel;

describe('the wall limit', () => {
  let jails: JailFixture;
  let made = 0;
  const gateways: LeaseGateway[] = [];
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(async () => {
    await Promise.all(gateways.map((each) => each.close()));
    await jails.remove();
  });

  async function gateway(answer: LeaseGateway['answer']): Promise<LeaseGateway> {
    const made1 = new LeaseGateway(await jails.folder(`lease${(made += 1)}`));
    made1.answer = answer;
    await made1.listen();
    gateways.push(made1);
    return made1;
  }

  function hang(lease: LeaseGateway | null, limits: Record<string, number>) {
    return jails.run('time.sleep(60)', {
      lease: lease === null ? null : { socketDirectory: lease.socketDirectory, token: lease.token },
      limits: { wallMs: 600, ...limits },
    });
  }

  it('ends a harness that goes on, also where no gateway is to be asked', async () => {
    const { done } = await hang(null, {});
    expect(done.end).toEqual({ kind: 'wall_limit' });
    expect(done.wallMs).toBeGreaterThanOrEqual(600);
    expect(done.wallMs).toBeLessThan(1_500);
  });

  it('starts with what earlier epochs used up', async () => {
    const { done } = await hang(null, { wallMs: 30_000, elapsedMs: 29_700 });
    expect(done.end).toEqual({ kind: 'wall_limit' });
    expect(done.wallMs).toBeLessThan(1_500);
  });

  it('is extended once by the time the lease has waited', async () => {
    const lease = await gateway({ waitedMs: 700 });
    const { done } = await hang(lease, {});
    expect(done.end).toEqual({ kind: 'wall_limit' });
    expect(done.extendedMs).toBe(700);
    expect(done.wallMs).toBeGreaterThanOrEqual(1_300);
    expect(lease.questions).toBe(2);
  });

  it('is not extended by a gateway that disowns the lease', async () => {
    const { done } = await hang(await gateway({ status: 401 }), {});
    expect([done.end.kind, done.extendedMs]).toEqual(['wall_limit', 0]);
    expect(done.wallMs).toBeLessThan(1_500);
  });

  it('waits while the gateway is away, and gives that time back when it returns', async () => {
    const lease = await gateway({ waitedMs: 0 });
    await lease.close();
    const running = hang(lease, {});
    await sleep(2_500);
    await lease.listen();
    const { done } = await running;
    expect(done.end).toEqual({ kind: 'wall_limit' });
    expect(done.extendedMs).toBeGreaterThanOrEqual(1_900);
    expect(done.wallMs).toBeGreaterThanOrEqual(done.extendedMs + 600);
  });

  it('gives an outage back once, also where the gateway that came back has counted it', async () => {
    const lease = await gateway({ waitedMs: 2_500 });
    await lease.close();
    const running = hang(lease, {});
    await sleep(2_500);
    await lease.listen();
    const { done } = await running;
    expect(done.end).toEqual({ kind: 'wall_limit' });
    expect(done.extendedMs).toBeGreaterThanOrEqual(2_500);
    expect(done.extendedMs).toBeLessThan(4_000);
  });

  it('waits for an absent gateway no longer than it is told to, and says that it was lost', async () => {
    const lease = await gateway({ waitedMs: 0 });
    await lease.close();
    const { done } = await hang(lease, { unreachableMs: 1_500 });
    expect(done.end).toEqual({ kind: 'gateway_lost' });
    expect(done.wallMs).toBeLessThan(4_000);
  });

  it('still runs commands while it asks a gateway that takes the question and is silent', async () => {
    const lease = await gateway(null);
    const { commands, done } = await jails.run(
      `time.sleep(0.5)
print(run('echo served', 5))
open('/out/outcome.json', 'w').write('{}')`,
      { lease: { socketDirectory: lease.socketDirectory, token: lease.token }, limits: { wallMs: 400 } },
    );
    expect(commands[0]?.output).toBe('served\n');
    expect(done.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('lets the harness reach the gateway again after its socket was made anew', async () => {
    const lease = await gateway({ waitedMs: 0 });
    const directory = jails.stateDirectory();
    const script = `import socket
def ask():
    client = socket.socket(socket.AF_UNIX); client.connect('/run/gateway/gateway.sock')
    client.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); return client.recv(12)
print(ask())
time.sleep(1)
last = time.time() + 8
while time.time() < last:
    try:
        print(os.stat('/run/gateway/gateway.sock').st_uid, ask()); break
    except OSError: time.sleep(0.05)`;
    await jails.sandbox.start(
      directory,
      jails.attempt(`${script}\n`, { lease: { socketDirectory: lease.socketDirectory, token: lease.token } }),
    );
    await expect.poll(() => lease.visits, { timeout: 10_000 }).toBe(1);
    await lease.close();
    await lease.listen();
    const { log } = await jails.finish(directory);
    expect(log.trim().split('\n')).toEqual(["b'HTTP/1.1 401'", "1000 b'HTTP/1.1 401'"]);
  });
});
