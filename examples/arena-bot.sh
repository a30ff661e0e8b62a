# The smallest player for the arena: `spieltisch arena trailblaze novice "lines:sh examples/arena-bot.sh"`.
# It answers each question with 0, the first of the legal actions.

while read -r message; do
  case $message in
    *'"type":"act"'*) echo 0 ;;
  esac
done
