// Sounds, off unless somebody wants them: a few short notes, made on the spot.
import { setting } from "./settings.js";

const NOTES = { turn: [523, 784], move: [392], voice: [659], over: [523, 659, 784, 1047] }; // hertz, one after the other
const LENGTH = 0.13; // seconds of a note
let context = null;

export function sound(name) {
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

// Who turns them on hears one.
document.addEventListener("change", (event) => {
  if (event.target.dataset.setting === "sound" && event.target.checked) sound("turn");
});
