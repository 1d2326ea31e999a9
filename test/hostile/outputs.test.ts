import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { JailFixture } from '../support/jail-fixture.ts';
import { describeAtEachLevel } from '../support/jail-level.ts';

const maker = `
import os, socket
os.chdir('/app')
open('good.txt', 'w').write('good')
os.symlink('/etc/passwd', 'link')
os.symlink('..', 'linked-folder')
os.link('good.txt', 'twin-link')
open('alone', 'w').write('x')
socket.socket(socket.AF_UNIX).bind('sock')
for name in [b'new\\nline', b'esc\\x1b[31m', b'bad\\xff', 'rtl\\u202etxt'.encode()]: open(name, 'w').close()
open('Report.docx', 'w').write('upper'); open('report.docx', 'w').write('lower')
os.mkdir('Out'); os.mkdir('out'); open('Out/a', 'w').close(); open('out/b', 'w').write('b')
os.makedirs('/'.join(['d'] * 20)); open('/'.join(['d'] * 20) + '/deep', 'w').close()
os.makedirs('/'.join(['n' * 250] * 6)); open('/'.join(['n' * 250] * 6) + '/far', 'w').close()
with open('sparse', 'wb') as file: file.truncate(60_000_000)
os.mkdir('closed'); open('closed/in', 'w').write('in'); os.chmod('closed/in', 0); os.chmod('closed', 0)
try: os.mkfifo('fifo')
except OSError as error: print('mkfifo', error.strerror)
`;

describeAtEachLevel('outputs of a hostile solver', (level) => {
  let jails: JailFixture;
  beforeAll(async () => {
    jails = await JailFixture.create(level);
  });
  afterAll(() => jails.remove());

  it('probe 17: only plain files with plain names come out; every other entry is left out with a note', async () => {
    const files = await jails.folder('maker', { 'maker.py': maker });
    const { done, directory, commands } = await jails.run(`run('/usr/bin/python3 -I maker.py', 10)`, {
      inputs: [{ source: files, path: '.' }],
    });
    expect(commands[0]?.output).toBe('mkfifo Operation not permitted\n');
    expect(done.files.map(({ path }) => path)).toEqual(['alone', 'closed/in', 'maker.py', 'out/b', 'report.docx']);
    const notes = done.notes.map(({ path, reason }) => [path.slice(0, 20), reason]);
    expect(new Set(notes.map(([, reason]) => reason))).toEqual(
      new Set([
        'symbolic_link',
        'hard_link',
        'socket',
        'name',
        'case_twin',
        'too_deep',
        'path_too_long',
        'file_too_large',
      ]),
    );
    expect(notes).toEqual(
      expect.arrayContaining([
        ['link', 'symbolic_link'],
        ['linked-folder', 'symbolic_link'],
        ['good.txt', 'hard_link'],
        ['twin-link', 'hard_link'],
        ['sock', 'socket'],
        ['new\\nline', 'name'],
        ['esc\\x1b[31m', 'name'],
        ['bad\\udcff', 'name'],
        ['rtl\\u202etxt', 'name'],
        ['Report.docx', 'case_twin'],
        ['Out', 'case_twin'],
        ['sparse', 'file_too_large'],
      ]),
    );
    for (const entry of readdirSync(join(directory, 'out/work'), { recursive: true, encoding: 'utf8' })) {
      const found = lstatSync(join(directory, 'out/work', entry));
      expect([entry, found.isFile() || found.isDirectory()]).toEqual([entry, true]);
    }
  });

  it('probe 17: entries beyond the cap and bytes beyond the total stay behind, with a note', async () => {
    const { done } = await jails.run(
      `run('for n in $(seq 1 60); do echo $n > f$n; done; head -c 3000 /dev/zero > a; head -c 3000 /dev/zero > b', 10)`,
      { limits: { copyOut: { entries: 50, totalBytes: 4_000 } } },
    );
    expect(done.files.length).toBeLessThan(50);
    expect(done.notes.map(({ reason }) => reason)).toContain('too_many_entries');
    expect(done.files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(4_000);
  });
});
