// Preloaded into a manager that is to stand still at the worst of all moments. After a SIGUSR2 it stops itself when it
// asks for the last time whether a call that changes something may be sent: woken, it goes on right there, before any
// timer has told it how late it is.
const now = performance.now.bind(performance)
let armed = false
performance.now = () => {
  if (armed && new Error('Who asks?').stack?.includes('refuseWhileHeld')) {
    armed = false
    process.kill(process.pid, 'SIGSTOP')
  }
  return now()
}
process.on('SIGUSR2', () => {
  armed = true
})
