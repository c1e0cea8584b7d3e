<?php
const TOLERANCE_SECONDS = 300;

/** $header: X-Service-Signature, or null; $rawBody: the text, as it arrived. */
function isGenuine(?string $header, string $rawBody, string $secret): bool
{
    $t = '';
    $digests = [];
    foreach (explode(',', $header ?? '') as $part) {
        [$name, $value] = array_pad(explode('=', $part, 2), 2, '');
        if ($name === 't') $t = $value;
        if ($name === 'v1') $digests[] = $value;
    }
    if (!ctype_digit($t) || abs(time() - (int) $t) > TOLERANCE_SECONDS) return false;
    $expected = hash_hmac('sha256', $t . '.' . $rawBody, $secret);
    foreach ($digests as $digest) {
        if (hash_equals($expected, $digest)) return true;
    }
    return false;
}
