export const UPLOAD_LINKS_PATH = '/v2/upload-links';
