// A screen that nobody touches stays awake. On a secure line the browser does that when asked; in a home network
// (http://192.168…) it does not, but no browser goes dark while a film is running: a silent one is made here, of nothing.
let film = null;

async function lock() {
  if (document.hidden) return;
  try {
    await navigator.wakeLock.request("screen");
  } catch {
    await play();
  }
}

async function play() {
  try {
    if (!film) {
      const picture = Object.assign(document.createElement("canvas"), { width: 64, height: 36 });
      const paint = picture.getContext("2d");
      let n = 0;
      const draw = () => {
        paint.fillStyle = n++ % 2 ? "#808080" : "#818181"; // a stream sends a picture only where it has changed
        paint.fillRect(0, 0, 64, 36);
      };
      draw();
      setInterval(draw, 1000);
      film = Object.assign(document.createElement("video"), { muted: true, playsInline: true, className: "awake" });
      film.ariaHidden = "true";
      film.srcObject = picture.captureStream(2);
      document.body.append(film); // as large as the window, behind everything: browsers look for that
    }
    await film.play();
  } catch {
    document.documentElement.classList.add("sleepy"); // the waiting room says what to set
  }
}

const keep = navigator.wakeLock ? lock : play;
document.addEventListener("visibilitychange", keep);
keep();
