import json
import os
from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from verify import is_genuine

@csrf_exempt
@require_POST
def hook(request):
    header = request.headers.get("X-Service-Signature")
    if not is_genuine(header, request.body, os.environ["WEBHOOK_SECRET"]):
        return HttpResponse(status=401)
    event = json.loads(request.body)
    # Store the event, then answer.
    return HttpResponse(status=200)
