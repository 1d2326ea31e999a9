import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

/** Sends frames as they are and prints the replies, one JSON text a line; `closed` at the end of the connection. */
const raw = `import socket
def connect():
    client = socket.socket(socket.AF_UNIX); client.connect('/run/exec/exec.sock'); client.settimeout(8); return client
def frame(text):
    data = text if isinstance(text, bytes) else text.encode()
    return len(data).to_bytes(4, 'big') + data
def take(client, length):
    data = b''
    while len(data) < length:
        chunk = client.recv(length - len(data))
        if not chunk: return None
        data += chunk
    return data
def reply(client):
    head = take(client, 4)
    return 'closed' if head is None else take(client, int.from_bytes(head, 'big')).decode()
def ask(text):
    client = connect(); client.sendall(frame(text)); return reply(client)
`;

describeAtEachLevel('the exec service', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  const refusals: readonly (readonly [string, string, string])[] = [
    ['a frame that is no JSON', `'{"command": "true", "timeout"'`, 'not_json'],
    ['a frame of deep nesting', `'[' * 500000`, 'not_json'],
    ['a frame that is not UTF-8', `b'\\xff\\xfe{}'`, 'not_json'],
    ['a value that is no object', `'[1]'`, 'fields'],
    ['a working directory', `json.dumps({'command': 'pwd', 'timeout': 1, 'cwd': '../..'})`, 'fields'],
    ['an environment', `json.dumps({'command': 'env', 'timeout': 1, 'env': {'LD_PRELOAD': '/app/x.so'}})`, 'fields'],
    ['a missing time-out', `json.dumps({'command': 'true'})`, 'fields'],
    ['a negative time-out', `json.dumps({'command': 'true', 'timeout': -1})`, 'timeout'],
    ['a time-out that is no number', `json.dumps({'command': 'true', 'timeout': '5'})`, 'timeout'],
    ['a time-out of NaN', `'{"command": "true", "timeout": NaN}'`, 'not_json'],
    ['a command with NUL', `json.dumps({'command': 'echo a\\x00b', 'timeout': 1})`, 'command'],
    ['a command that is no text', `json.dumps({'command': ['true'], 'timeout': 1})`, 'command'],
    ['a command over 1 MiB', `json.dumps({'command': ' ' * 1048577, 'timeout': 1})`, 'command_too_large'],
  ];

  it('probe 16: refuses every malformed request by name, runs nothing for it, and serves the next one', async () => {
    const script = `${raw}
for text in [${refusals.map(([, text]) => text).join(', ')}]:
    print(json.loads(ask(text))['reason'])
print(json.loads(ask(json.dumps({'command': 'echo served', 'timeout': 5})))['output'].strip())`;
    const { log, commands, done } = await jails.run(script);
    const seen = log.trim().split('\n');
    expect(Object.fromEntries(refusals.map(([what], index) => [what, seen[index]]))).toEqual(
      Object.fromEntries(refusals.map(([what, , reason]) => [what, reason])),
    );
    expect(seen.at(-1)).toBe('served');
    expect(commands).toHaveLength(1);
    expect(Object.values(done.refusals).reduce((sum, count) => sum + count, 0)).toBe(refusals.length);
  });

  it('probe 16: refuses a frame of 1 GB by its length alone and closes that connection only', async () => {
    const { log } = await jails.run(`${raw}
client = connect(); client.sendall((1 << 30).to_bytes(4, 'big'))
print(json.loads(reply(client))['reason'], reply(client), run('echo served', 5)['output'])`);
    expect(log.trim()).toBe('frame_too_large closed served');
  });

  it('answers hundreds of pipelined bad frames without falling over', async () => {
    const { log } = await jails.run(`${raw}
client = connect()
import threading
threading.Thread(target=lambda: client.sendall(frame('x') * 500), daemon=True).start()
print(len([1 for _ in range(500) if 'not_json' in reply(client)]), run('echo served', 5)['output'])`);
    expect(log.trim()).toBe('500 served');
  });

  it('takes four connections; others wait until one of them ends', async () => {
    const { log } = await jails.run(`${raw}
clients = [connect() for _ in range(9)]
for client in clients: client.sendall(frame('x'))
print(*['not_json' in reply(client) for client in clients[:4]])
clients[4].settimeout(0.3)
try: print(reply(clients[4]))
except TimeoutError: print('waits')
clients[0].close()
clients[4].settimeout(8)
print('not_json' in reply(clients[4]))
for client in clients[1:5]: client.close()
print(*['not_json' in reply(client) for client in clients[5:]])`);
    expect(log.trim().split('\n')).toEqual(['True True True True', 'waits', 'True', 'True True True True']);
  });

  it('runs one command at a time, whoever asks', async () => {
    const { commands, done } = await jails.run(`${raw}
import threading
threads = [threading.Thread(target=run, args=('echo x >> running; sleep 0.1; wc -l < running; rm running', 5)) for _ in range(3)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]`);
    expect(done.end.kind).toBe('exited');
    expect(commands.map(({ output }) => output.trim())).toEqual(['1', '1', '1']);
  });

  it('takes a command longer than any argument may be, and keeps its standard input empty', async () => {
    const { log } = await jails.run(`print(run('cat; echo ' + 'y' * 300000 + ' | wc -c', 5)['output'])`);
    expect(log.trim()).toBe('300001');
  });

  it('ends a command at its time-out with what it had printed, and clamps the time to a second and to the limit', async () => {
    const { commands } = await jails.run(
      `run('echo early; sleep 30', 1)
run('sleep 0.5; echo done', 0.01)
run('sleep 30', 1e9)`,
      { limits: { commandMs: 1_500 } },
    );
    expect(
      commands.map(({ output, returncode, timedOut, timeoutMs }) => [output, returncode, timedOut, timeoutMs]),
    ).toEqual([
      ['early\n', -1, true, 1_000],
      ['done\n', 0, false, 1_000],
      ['', -1, true, 1_500],
    ]);
  });

  it('keeps front and tail of an output and drains the rest', async () => {
    const [entry] = await jails.observations([`echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo last`], {
      limits: { commandOutputBytes: 1_000 },
    });
    expect(entry?.outputBytes).toBe(5_000_011);
    expect(entry?.output.length).toBeLessThan(1_100);
    expect(entry?.output).toMatch(/^first\nx+\n\[\.\.\. 4999011 bytes left out \.\.\.\]\nx+last\n$/);
  });

  it('merges both streams and replaces bytes that are not UTF-8', async () => {
    const [entry] = await jails.observations([`echo out; echo err >&2; printf '\\xff\\n'; exit 3`]);
    expect([entry?.output, entry?.returncode]).toEqual(['out\nerr\n\ufffd\n', 3]);
  });

  it('gives commands the environment of the spec and nothing else', async () => {
    const [entry] = await jails.observations(['env -u _ -u PWD -u SHLVL | sort'], {
      task: { mounts: [], environment: { PATH: '/usr/bin', FOO: 'a=b c' } },
    });
    expect(entry?.output).toBe('FOO=a=b c\nPATH=/usr/bin\n');
  });

  it('shares the working directory and /tmp between commands, and no process', async () => {
    const entries = await jails.observations([
      'echo 1 > kept; echo 2 > /tmp/kept; (sleep 60 & )',
      'cat kept /tmp/kept; cat /proc/[0-9]*/comm',
    ]);
    expect(entries[1]?.output).toMatch(/^1\n2\n/);
    expect(entries[1]?.output).not.toContain('sleep');
  });

  it('stops taking commands at the configured number and goes on with the attempt', async () => {
    const { log, commands } = await jails.run(`for _ in range(4): print(run('true', 5)['returncode'])`, {
      limits: { commands: 2 },
    });
    expect(log.trim().split('\n')).toEqual(['0', '0', '126', '126']);
    expect(commands).toHaveLength(2);
  });
});
