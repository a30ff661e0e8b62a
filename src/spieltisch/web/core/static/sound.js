// Sounds, and on phones a buzz when it is one's turn, off unless somebody wants them: it is asked once, in the first
// game. A few short notes, made on the spot.
import { setting, showSettings } from "./settings.js";

const NOTES = { turn: [523, 784], move: [392], voice: [659], over: [523, 659, 784, 1047] }; // hertz, one after the other
const LENGTH = 0.13; // seconds of a note
const BUZZ = [60, 40, 60]; // ms on, off, on
let context = null;

export function sound(name) {
  if (name === "turn" && setting("buzz")) navigator.vibrate?.(BUZZ);
  if (!setting("sound") || !window.AudioContext) return;
  context ??= new AudioContext();
  context.resume(); // browsers let a page be heard after the first tap on it
  NOTES[name].forEach((pitch, n) => {
    const start = context.currentTime + n * LENGTH;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
    const loud = new GainNode(context, { gain: 0 });
    loud.gain.setValueAtTime(0, start);
    loud.gain.linearRampToValueAtTime(0.12, start + 0.01);
    loud.gain.exponentialRampToValueAtTime(0.001, start + LENGTH * 2);
    tone.connect(loud).connect(context.destination);
    tone.start(start);
    tone.stop(start + LENGTH * 2);
  });
}

// Who turns them on hears one, or feels it.
document.addEventListener("change", (event) => {
  const { setting: name } = event.target.dataset;
  if (["sound", "buzz"].includes(name) && event.target.checked) sound("turn");
});

// The question stands where it is one's turn, until it is answered or the first game is over.
export function offerSound(table) {
  const question = document.getElementById("asking");
  const known = localStorage.getItem("sound") !== null;
  const over = table.querySelector("#over") !== null;
  if (!known && over) localStorage.setItem("sound", "no");
  if (!question || known || over || !window.AudioContext) return;
  const asked = question.content.firstElementChild.cloneNode(true);
  table.querySelector("#dock .refused")?.before(asked);
  asked.onclick = ({ target }) => {
    const answer = target.closest("button")?.value;
    if (!answer) return;
    for (const name of ["sound", "buzz"]) localStorage.setItem(name, answer);
    asked.remove();
    showSettings(document);
    sound("turn");
    table.querySelector("#dock").focus({ preventScroll: true });
  };
}
