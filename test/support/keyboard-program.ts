import { processKeyboard } from '../../src/cli/process-keyboard.ts';

/** Tells every key; `q` lets go of the keyboard, `x` exits at once, `t` throws, `k` is a SIGTERM, `h` a SIGHUP. */
const keyboard = processKeyboard();
if (keyboard === null) console.log('no keyboard');
else {
  const keep = setInterval(() => undefined, 1000);
  process.once('SIGINT', () => {
    console.log('interrupted');
    clearInterval(keep);
    end();
  });
  const end = keyboard.listen(({ name, ctrl }) => {
    console.log(`key ${ctrl ? 'ctrl ' : ''}${name}`);
    if (name === 'q') {
      clearInterval(keep);
      end();
    }
    if (name === 'x') process.exit(3);
    if (name === 't') throw new Error('thrown');
    if (name === 'k') process.kill(process.pid, 'SIGTERM');
    if (name === 'h') process.kill(process.pid, 'SIGHUP');
  });
  console.log('listening');
}
