"""The server's secret, and short signatures with it."""

import base64
import hmac
import secrets
from pathlib import Path


def secret_of(folder: Path) -> bytes:
    """The server's secret, made at the first start and kept readable for this user only.

    OSError where the folder cannot be written.
    """
    file = folder / "secret"
    if not file.exists():
        draft = folder / f"secret.{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_bytes(secrets.token_bytes(32))
        try:
            file.hardlink_to(draft)  # of two servers that start at once, one makes the secret
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_bytes()


class Signer:
    """Signs texts with the server's secret: HMAC-SHA-256, 128 bits of it."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def sign(self, text: str) -> str:
        """The signature, 22 characters that may stand in cookies and addresses."""
        mac = hmac.digest(self._secret, text.encode(), "sha256")[:16]
        return base64.urlsafe_b64encode(mac).decode().rstrip("=")

    def is_signature(self, signature: str, text: str) -> bool:
        """Whether this is the text's signature."""
        return hmac.compare_digest(signature.encode(), self.sign(text).encode())
